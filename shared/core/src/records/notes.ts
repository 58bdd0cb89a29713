// Notes of partners, leads and deals.
import type { Note } from "@partnerwire/contract";
import type { NotePayload } from "@partnerwire/wire";
import { eq } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import { deals } from "../deals/deals.ts";
import type { Handlers } from "../execute/handlers.ts";
import { leads } from "../leads/leads.ts";
import { partners } from "../partners/partners.ts";
import { createParts, type PartParents } from "../resource/create-parts.ts";
import { toUserRef } from "../resource/to-ref.ts";
import { toTimes } from "../values/times.ts";

const selectNotes = ({ query, tables: { note, user } }: Db) =>
	query
		.select({ row: note, author: toUserRef(user) })
		.from(note)
		.innerJoin(user, eq(user.uuid, note.authorUuid))
		.$dynamic();

const toNote = ({
	row,
	author,
}: {
	row: RowOf<"note">;
	author: Note["author"];
}): Note => ({
	uuid: row.uuid,
	content: row.content,
	author,
	...toTimes(row),
});

/** The notes of one kind of record. Notes of partners have no events. */
const createNotes = (
	entity: "partnership_note" | "lead_note" | "deal_note",
	column: "partnerUuid" | "leadUuid" | "dealUuid",
	parents: PartParents,
) =>
	createParts({
		table: "note",
		entity,
		noun: "note",
		parents,
		column,
		select: selectNotes,
		toShown: toNote,
		toColumns: ({ content }: { content?: string | undefined }) => ({ content }),
		complete: async (_, { caller }) => ({ authorUuid: caller.userUuid }),
		toEmission(action, note, row) {
			if (entity === "partnership_note") return undefined;
			const { leadUuid, dealUuid } = row;
			const payload: NotePayload = {
				...note,
				lead_uuid: leadUuid,
				deal_uuid: dealUuid,
			};
			const recordUuid = row[column] as string;
			return { eventId: `${entity}_${action}`, recordUuid, entity: payload };
		},
	}).handlers;

const onPartners = createNotes("partnership_note", "partnerUuid", partners);
const onLeads = createNotes("lead_note", "leadUuid", leads);
const onDeals = createNotes("deal_note", "dealUuid", deals);

/** The operations on notes of partners, leads and deals. */
export const noteHandlers = {
	listPartnerNotes: onPartners.list,
	createPartnerNote: onPartners.create,
	updatePartnerNote: onPartners.update,
	deletePartnerNote: onPartners.remove,
	listLeadNotes: onLeads.list,
	createLeadNote: onLeads.create,
	updateLeadNote: onLeads.update,
	deleteLeadNote: onLeads.remove,
	listDealNotes: onDeals.list,
	createDealNote: onDeals.create,
	updateDealNote: onDeals.update,
	deleteDealNote: onDeals.remove,
} satisfies Partial<Handlers>;
