import { z } from "zod";
import { UserRef } from "../table/references.ts";
import { requiredText, timestamp } from "../table/text.ts";

/** A note on a lead or a deal (docs/contract.md#other-resources). */
export const Note = z.object({
	uuid: z.string(),
	content: z.string(),
	author: UserRef,
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Note = z.infer<typeof Note>;

const content = requiredText(50_000);

export const NoteCreate = z.object({ content });
export type NoteCreate = z.infer<typeof NoteCreate>;

export const NoteUpdate = NoteCreate.partial();
export type NoteUpdate = z.infer<typeof NoteUpdate>;
