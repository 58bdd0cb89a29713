import { type EventId, notFound, type Success } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import { insertRow } from "../db/insert-row.ts";
import type { Change, Emission, Resource } from "../execute/change.ts";
import type { Context } from "../execute/context.ts";
import type { Outcome } from "../execute/handlers.ts";
import { toChangedColumns } from "./patch.ts";
import type { LoadAttached } from "./record-links.ts";
import { createReferences, type References } from "./references.ts";

interface StoredRecord {
	uuid: string;
	archivedAt: number | null;
	updatedAt: number;
}

/** What distinguishes partners, leads and deals where they are alike. */
export interface RecordKind<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
	Body,
	Attached,
> {
	readonly table: "partner" | "lead" | "deal" | "product";
	/** As the audit log names it (decisions §4). */
	readonly entity: string;
	readonly noun: string;
	/** The events of its changes and the record in them; restoring is an update. Left out where there are none. */
	readonly webhook?: {
		readonly events: Readonly<
			Record<"created" | "updated" | "archived", EventId>
		>;
		toPayload(shown: Shown): object;
	};
	find(db: Context["db"], values: Record<string, unknown>): Promise<Viewed[]>;
	/** What hangs on it, such as its tags; without uuids nothing is asked. */
	readonly attach: LoadAttached<Attached>;
	toShown(viewed: Viewed, attached: Attached): Shown;
	/** What a body says in columns; invalid references are refused. */
	toColumns(
		body: Body,
		references: References,
	): Promise<Partial<Viewed["row"]>>;
}

type Action = "created" | "updated" | "archived" | "restored";

/** The path of one record. */
export interface One {
	params: { uuid: string };
}

/** Reads, creates, changes and archives one kind of record, each change with its audit entry and its event. */
export function createRecords<
	Viewed extends { row: StoredRecord },
	Shown extends Resource,
	Body,
	Attached,
>(kind: RecordKind<Viewed, Shown, Body, Attached>) {
	type Columns = Partial<Viewed["row"]>;

	/** The record as it is stored, or 404: also when it is another company's. */
	async function read(uuid: string, { db, caller }: Context): Promise<Viewed> {
		const { companyUuid } = caller;
		const [viewed] = await kind.find(db, { uuid, companyUuid });
		if (!viewed) throw notFound(kind.noun);
		return viewed;
	}

	/** For what cannot be done to an archived record: it answers 404 (decisions §1). */
	async function readLive(uuid: string, context: Context): Promise<Viewed> {
		const viewed = await read(uuid, context);
		if (viewed.row.archivedAt !== null) throw notFound(kind.noun);
		return viewed;
	}

	/** Records as the API shows them, with what hangs on them. */
	async function showAll(
		rows: readonly Viewed[],
		{ db }: Pick<Context, "db">,
	): Promise<Shown[]> {
		const uuids = rows.map(({ row }) => row.uuid);
		const attachedTo = await kind.attach(db, uuids);
		return rows.map((row) => kind.toShown(row, attachedTo(row.row.uuid)));
	}

	async function show(viewed: Viewed, context: Context): Promise<Shown> {
		const [shown] = await showAll([viewed], context);
		return shown as Shown;
	}

	const toEmission = (
		action: Action,
		shown: Shown,
		uuid: string,
	): Emission | undefined =>
		kind.webhook && {
			eventId: kind.webhook.events[action === "restored" ? "updated" : action],
			recordUuid: uuid,
			entity: kind.webhook.toPayload(shown),
		};

	function toOutcome(
		action: Action,
		uuid: string,
		before: Shown | null,
		after: Shown,
	): Outcome<Shown> {
		const change: Change = {
			entity: kind.entity,
			uuid,
			action,
			before,
			after,
			emits: toEmission(action, after, uuid),
		};
		return { result: after, changes: [change] };
	}

	async function create(columns: Columns, context: Context) {
		const { caller, nowMs } = context;
		const uuid = context.newUuid();
		const own = { uuid, companyUuid: caller.companyUuid };
		const times = { createdAt: nowMs, updatedAt: nowMs };
		await insertRow(context.db, kind.table, {
			...columns,
			...own,
			...times,
		} as never);
		const attachedTo = await kind.attach(context.db, []);
		const viewed = await read(uuid, context);
		const after = kind.toShown(viewed, attachedTo(uuid));
		return toOutcome("created", uuid, null, after);
	}

	/** Writes the columns that differ; with nothing to change it answers the record and emits nothing. */
	async function change(
		viewed: Viewed,
		columns: Columns,
		context: Context,
		action: Exclude<Action, "created"> = "updated",
	): Promise<Outcome<Shown>> {
		const { uuid } = viewed.row;
		const attachedTo = await kind.attach(context.db, [uuid]);
		const before = kind.toShown(viewed, attachedTo(uuid));
		const changed = toChangedColumns(viewed.row, columns);
		if (!changed) return { result: before, changes: [] };
		const table = context.db.tables[kind.table];
		await context.db.query
			.update(table)
			.set({ ...changed, updatedAt: context.nowMs })
			.where(eq(table.uuid, uuid));
		const after = kind.toShown(await read(uuid, context), attachedTo(uuid));
		return toOutcome(action, uuid, before, after);
	}

	/**
	 * The event of a record of which a part was changed. `updated_at` moves along: a receiver that knows no `jti`
	 * takes two equal bodies for one event.
	 */
	async function touch(
		uuid: string,
		context: Context,
	): Promise<Emission | undefined> {
		const table = context.db.tables[kind.table];
		await context.db.query
			.update(table)
			.set({ updatedAt: context.nowMs })
			.where(eq(table.uuid, uuid));
		const shown = await show(await read(uuid, context), context);
		return toEmission("updated", shown, uuid);
	}

	/** Writes what hangs on a record: an update of the record, with its audit entry and its event. */
	async function changeAttached(
		viewed: Viewed,
		context: Context,
		write: () => Promise<unknown>,
	): Promise<Outcome<Shown>> {
		const before = await show(viewed, context);
		await write();
		const { uuid } = viewed.row;
		const table = context.db.tables[kind.table];
		await context.db.query
			.update(table)
			.set({ updatedAt: context.nowMs })
			.where(eq(table.uuid, uuid));
		const after = await show(await read(uuid, context), context);
		return toOutcome("updated", uuid, before, after);
	}

	return {
		read,
		readLive,
		create,
		change,
		touch,
		changeAttached,
		show,
		showAll,

		/** The handlers of the operations that are the same for every kind. */
		handlers: {
			get: async ({ params }: One, context: Context) =>
				show(await read(params.uuid, context), context),

			update: async (
				{ params, body }: One & { body: Body },
				context: Context,
			) => {
				const columns = await kind.toColumns(body, createReferences(context));
				return change(await readLive(params.uuid, context), columns, context);
			},

			archive: async (
				{ params }: One,
				context: Context,
			): Promise<Outcome<Success>> => {
				const viewed = await readLive(params.uuid, context);
				const columns = { archivedAt: context.nowMs } as Columns;
				const { changes } = await change(viewed, columns, context, "archived");
				return { result: { success: true }, changes };
			},

			/** A record that is not archived stays as it is. */
			restore: async ({ params }: One, context: Context) => {
				const viewed = await read(params.uuid, context);
				const columns = { archivedAt: null } as Columns;
				return change(viewed, columns, context, "restored");
			},
		},
	};
}
