import { type InputOf, type Note, notFound } from "@partnerwire/contract";
import type { EventId, NotePayload } from "@partnerwire/wire";
import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import { deals } from "../deals/deals.ts";
import type { Handlers } from "../execute/handlers.ts";
import { leads } from "../leads/leads.ts";
import { partners } from "../partners/partners.ts";
import { toChangedColumns } from "../resource/patch.ts";
import { toTimes } from "../values/times.ts";

const selectNotes = ({ query, tables: { note, user } }: Db) =>
	query
		.select({
			row: note,
			author: {
				uuid: user.uuid,
				first_name: user.firstName,
				last_name: user.lastName,
				email: user.email,
			},
		})
		.from(note)
		.innerJoin(user, eq(user.uuid, note.authorUuid))
		.$dynamic();

type NoteRow = Awaited<ReturnType<typeof selectNotes>>[number];

const findNote = defineQuery("note_by_uuid", (db) =>
	selectNotes(db).where(eq(db.tables.note.uuid, sql.placeholder("uuid"))),
);

const toNote = ({ row, author }: NoteRow): Note => ({
	uuid: row.uuid,
	content: row.content,
	author,
	...toTimes(row),
});

/** The kinds of records that have notes. `events` is the prefix of the event ids; notes of partners emit none. */
const PARENTS = {
	partner: {
		column: "partnerUuid",
		entity: "partnership_note",
		events: null,
		read: partners.read,
		readLive: partners.readLive,
	},
	lead: {
		column: "leadUuid",
		entity: "lead_note",
		events: "lead_note",
		read: leads.read,
		readLive: leads.readLive,
	},
	deal: {
		column: "dealUuid",
		entity: "deal_note",
		events: "deal_note",
		read: deals.read,
		readLive: deals.readLive,
	},
} as const;

type Parent = keyof typeof PARENTS;

function toChange(
	parent: Parent,
	action: "created" | "updated" | "deleted",
	shown: NoteRow,
	before: Note | null,
): Change {
	const note = toNote(shown);
	const { column, entity, events } = PARENTS[parent];
	const { leadUuid, dealUuid } = shown.row;
	const payload: NotePayload = {
		...note,
		lead_uuid: leadUuid,
		deal_uuid: dealUuid,
	};
	return {
		entity,
		uuid: note.uuid,
		action,
		before: action === "deleted" ? note : before,
		after: action === "deleted" ? null : note,
		...(events && {
			emits: {
				eventId: `${events}_${action}` satisfies EventId,
				recordUuid: shown.row[column] as string,
				entity: payload,
			},
		}),
	};
}

/** Reads a note under its own parent. A note of another record is a 404. */
async function readNote(
	parent: Parent,
	uuid: string,
	context: Context,
	parentUuid: string,
): Promise<NoteRow> {
	const [found] = await findNote(context.db, { uuid });
	if (found?.row[PARENTS[parent].column] !== parentUuid) throw notFound("note");
	return found;
}

function createNoteHandlers(parent: Parent) {
	const { column, read, readLive } = PARENTS[parent];
	return {
		list: async (
			{ params }: InputOf<"listLeadNotes">,
			context: Context,
		): Promise<Note[]> => {
			await read(params.uuid, context);
			const { note } = context.db.tables;
			const rows = await selectNotes(context.db)
				.where(eq(note[column], params.uuid))
				.orderBy(desc(note.createdAt), asc(note.uuid));
			return rows.map(toNote);
		},

		create: async (
			{ params, body }: InputOf<"createLeadNote">,
			context: Context,
		) => {
			await readLive(params.uuid, context);
			const uuid = context.newUuid();
			await insertRow(context.db, "note", {
				uuid,
				companyUuid: context.caller.companyUuid,
				[column]: params.uuid,
				authorUuid: context.caller.userUuid,
				content: body.content,
				createdAt: context.nowMs,
				updatedAt: context.nowMs,
			});
			const created = await readNote(parent, uuid, context, params.uuid);
			return {
				result: toNote(created),
				changes: [toChange(parent, "created", created, null)],
			};
		},

		update: async (
			{ params, body }: InputOf<"updateLeadNote">,
			context: Context,
		) => {
			await readLive(params.uuid, context);
			const found = await readNote(
				parent,
				params.subUuid,
				context,
				params.uuid,
			);
			const before = toNote(found);
			const changed = toChangedColumns(found.row, { content: body.content });
			if (!changed) return { result: before, changes: [] };
			const { note } = context.db.tables;
			await context.db.query
				.update(note)
				.set({ ...changed, updatedAt: context.nowMs })
				.where(and(eq(note.uuid, params.subUuid)));
			const updated = await readNote(
				parent,
				params.subUuid,
				context,
				params.uuid,
			);
			return {
				result: toNote(updated),
				changes: [toChange(parent, "updated", updated, before)],
			};
		},

		remove: async ({ params }: InputOf<"deleteLeadNote">, context: Context) => {
			await readLive(params.uuid, context);
			const found = await readNote(
				parent,
				params.subUuid,
				context,
				params.uuid,
			);
			const { note } = context.db.tables;
			await context.db.query.delete(note).where(eq(note.uuid, params.subUuid));
			return {
				result: { success: true } as const,
				changes: [toChange(parent, "deleted", found, null)],
			};
		},
	};
}

const onPartners = createNoteHandlers("partner");
const onLeads = createNoteHandlers("lead");
const onDeals = createNoteHandlers("deal");

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
