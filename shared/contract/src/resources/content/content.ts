import * as z from "zod";
import {
	queryBoolean,
	querySearch,
	sortQuery,
} from "../../table/list-query.ts";
import { series } from "../../table/numbers.ts";
import { requiredLine, text, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/* What resources, certifications and rooms share: members, filters and blocks. */

/** The members that resources, certifications and rooms share. */
export const shownContent = {
	uuid: z.string(),
	label: z.string(),
	live: z.boolean(),
	archived_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
};

/** The members that their bodies share. `live` is false by default. */
export const writtenContent = { label: requiredLine(), live: z.boolean() };

/** A few sentences. */
export const summary = () => text(10_000).nullable();

/** The filters that their lists share. */
export const contentFilters = {
	search: querySearch().optional(),
	live: queryBoolean().optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("label", "-label"),
};

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
