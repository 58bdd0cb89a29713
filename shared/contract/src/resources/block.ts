import { z } from "zod";
import { text, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { series } from "./series.ts";

/** The kind of content that a block of a resource or a room shows (docs/decisions.md#blocks). */
export const BlockType = z.enum([
	"text",
	"image",
	"video",
	"document",
	"button",
	"embed",
	"files",
	"quiz",
]);
export type BlockType = z.infer<typeof BlockType>;

/** A piece of a resource or a room; `series` is its place in it. */
export const Block = z.object({
	uuid: z.string(),
	type: BlockType,
	series: z.int(),
	title: z.string().nullable(),
	content: z.string().nullable(),
	asset_uuid: z.string().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Block = z.infer<typeof Block>;

const writable = {
	type: BlockType,
	series: series(),
	title: text().nullable(),
	content: text(50_000).nullable(),
	asset_uuid: Uuid.nullable(),
};

/** `series` defaults to the place after the last block. */
export const BlockCreate = z
	.object(writable)
	.partial()
	.extend({ type: BlockType });
export type BlockCreate = z.infer<typeof BlockCreate>;

export const BlockUpdate = z.object(writable).partial();
export type BlockUpdate = z.infer<typeof BlockUpdate>;
