import { type EventId, notFound } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Change, Resource } from "../execute/change.ts";
import type { Context } from "../execute/context.ts";
import type { Outcome } from "../execute/handlers.ts";
import { toChangedColumns } from "./patch.ts";

interface StoredRecord {
	uuid: string;
	archivedAt: number | null;
	updatedAt: number;
}

/** What distinguishes partners, leads and deals where they are alike: read one, change its columns, archive it. */
export interface RecordKind<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
> {
	readonly table: "partner" | "lead" | "deal";
	/** As the audit log names it (decisions §4). */
	readonly entity: string;
	readonly noun: string;
	find(db: Context["db"], values: Record<string, unknown>): Promise<Viewed[]>;
	toShown(viewed: Viewed): Shown;
	toPayload(shown: Shown): object;
	readonly events: Readonly<
		Record<"created" | "updated" | "archived", EventId>
	>;
}

/** The record as it is stored, or 404: also when it is another company's. */
export async function readRecord<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
>(
	kind: RecordKind<Viewed, Shown>,
	uuid: string,
	{ db, caller }: Context,
): Promise<Viewed> {
	const [viewed] = await kind.find(db, {
		uuid,
		companyUuid: caller.companyUuid,
	});
	if (!viewed) throw notFound(kind.noun);
	return viewed;
}

/** Like `readRecord`, for what cannot be done to an archived record: it answers 404 (decisions §1). */
export async function readLiveRecord<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
>(
	kind: RecordKind<Viewed, Shown>,
	uuid: string,
	context: Context,
): Promise<Viewed> {
	const viewed = await readRecord(kind, uuid, context);
	if (viewed.row.archivedAt !== null) throw notFound(kind.noun);
	return viewed;
}

/** The record as it was just created, with its audit entry and event. */
export async function toCreated<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
>(
	kind: RecordKind<Viewed, Shown>,
	uuid: string,
	context: Context,
): Promise<Outcome<Shown>> {
	const after = kind.toShown(await readRecord(kind, uuid, context));
	return {
		result: after,
		changes: [toChange(kind, "created", uuid, null, after)],
	};
}

/** Writes the given columns where they differ; with nothing to change it answers the record and emits nothing. */
export async function changeRecord<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
>(
	kind: RecordKind<Viewed, Shown>,
	viewed: Viewed,
	columns: Partial<Viewed["row"]>,
	context: Context,
	action: "updated" | "archived" = "updated",
): Promise<Outcome<Shown>> {
	const before = kind.toShown(viewed);
	const changed = toChangedColumns(viewed.row, columns);
	if (!changed) return { result: before, changes: [] };
	const table = context.db.tables[kind.table];
	const { uuid } = viewed.row;
	await context.db.query
		.update(table)
		.set({ ...changed, updatedAt: context.nowMs })
		.where(eq(table.uuid, uuid));
	const after = kind.toShown(await readRecord(kind, uuid, context));
	return {
		result: after,
		changes: [toChange(kind, action, uuid, before, after)],
	};
}

/** Archives the record; one that already is archived answers 404. */
export async function archiveRecord<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
>(
	kind: RecordKind<Viewed, Shown>,
	uuid: string,
	context: Context,
): Promise<Outcome<{ success: true }>> {
	const viewed = await readLiveRecord(kind, uuid, context);
	const columns = { archivedAt: context.nowMs } as Partial<Viewed["row"]>;
	const { changes } = await changeRecord(
		kind,
		viewed,
		columns,
		context,
		"archived",
	);
	return { result: { success: true }, changes };
}

function toChange<Viewed extends { row: StoredRecord }, Shown extends Resource>(
	kind: RecordKind<Viewed, Shown>,
	action: "created" | "updated" | "archived",
	uuid: string,
	before: Shown | null,
	after: Shown,
): Change {
	return {
		entity: kind.entity,
		uuid,
		action,
		before,
		after,
		emits: {
			eventId: kind.events[action],
			recordUuid: uuid,
			entity: kind.toPayload(after),
		},
	};
}
