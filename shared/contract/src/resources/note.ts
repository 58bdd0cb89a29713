import * as z from "zod";
import { nestedCrud } from "../table/crud.ts";
import { UserRef } from "../table/references.ts";
import { requiredText, timestamp } from "../table/text.ts";

/* Notes: their schemas, and the notes of partners, leads and deals. */

/** A note on a partner, a lead or a deal (docs/contract.md#other-resources). */
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

const notes = {
	segment: "notes",
	item: Note,
	create: NoteCreate,
	update: NoteUpdate,
};

/** They emit nothing: the contract has no event for the notes of partners (docs/contract.md#events). */
export const partnerNoteOperations = nestedCrud({
	...notes,
	noun: "PartnerNote",
	plural: "PartnerNotes",
	parent: "/v1/partners/{uuid}",
	group: "Partners",
});

export const leadNoteOperations = nestedCrud({
	...notes,
	noun: "LeadNote",
	plural: "LeadNotes",
	parent: "/v1/leads/{uuid}",
	group: "Leads",
	emits: {
		create: ["lead_note_created"],
		update: ["lead_note_updated"],
		remove: ["lead_note_deleted"],
	},
});

export const dealNoteOperations = nestedCrud({
	...notes,
	noun: "DealNote",
	plural: "DealNotes",
	parent: "/v1/deals/{uuid}",
	group: "Deals",
	emits: {
		create: ["deal_note_created"],
		update: ["deal_note_updated"],
		remove: ["deal_note_deleted"],
	},
});
