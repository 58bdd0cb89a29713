import { notFound, type Success } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Change, Emission, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";
import type { Tables } from "../db/tables.ts";
import type { Outcome } from "../execute/handlers.ts";
import { toChangedColumns } from "./patch.ts";
import {
	changeFields,
	type FieldsChange,
	loadFields,
	type Submitted,
	showFields,
} from "./record-fields.ts";
import { createRecordHandlers } from "./record-handlers.ts";
import type { RecordKind, ViewedRecord } from "./record-kind.ts";

export { type One, toSubmitted } from "./record-handlers.ts";

type Action = "created" | "updated" | "archived" | "restored";

/** Reads, creates, changes and archives one kind of record. Each change has its audit entry and its event. */
export function createRecords<
	Viewed extends ViewedRecord,
	Shown extends Resource,
	Body extends object,
	Attached,
>(kind: RecordKind<Viewed, Shown, Body, Attached>) {
	type Columns = Partial<Viewed["row"]>;
	// All of these tables have the columns of this one, which a type parameter cannot express.
	const tableOf = ({ tables }: Context["db"]) =>
		tables[kind.table] as Tables["product"];

	/** The record as it is stored; undefined if it belongs to another company. */
	async function seek(
		uuid: string,
		{ db, caller }: Context,
	): Promise<Viewed | undefined> {
		const { companyUuid } = caller;
		const [viewed] = await kind.find(db, { uuid, companyUuid });
		return viewed;
	}

	/** The record, or 404. */
	async function read(uuid: string, context: Context): Promise<Viewed> {
		const viewed = await seek(uuid, context);
		if (!viewed) throw notFound(kind.noun);
		return viewed;
	}

	/** Throws a 404 for an archived record, which cannot be changed (docs/decisions.md#archived-records). */
	function toLive(viewed: Viewed | undefined): Viewed {
		if (!viewed || typeof viewed.row.archivedAt === "number")
			throw notFound(kind.noun);
		return viewed;
	}

	const readLive = async (uuid: string, context: Context): Promise<Viewed> =>
		toLive(await seek(uuid, context));

	/** Records as the API shows them, with their links. */
	async function showAll(
		rows: readonly Viewed[],
		{ db }: Pick<Context, "db">,
	): Promise<Shown[]> {
		const linked = rows.filter(({ hasLinks = true }) => hasLinks);
		const attachedTo = await kind.attach(
			db,
			linked.map(({ row }) => row.uuid),
		);
		const fields = await loadFields(rows, kind.fields, db);
		return rows.map((row) =>
			kind.toShown(row, attachedTo(row.row.uuid), fields.show(row)),
		);
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
		also: Change["also"] = [],
		others: readonly Change[] = [],
	): Outcome<Shown> {
		const change: Change = {
			entity: kind.entity,
			uuid,
			action,
			before,
			after,
			also,
			emits: toEmission(action, after, uuid),
		};
		return { result: after, changes: [change, ...others] };
	}

	/** Writes a record's custom fields as a request asks; no change if the request does not mention them. */
	async function writeFields(
		write: { uuid: string; columns: Columns; before: Viewed | null },
		values: Parameters<typeof changeFields>[1],
		submitted: Submitted | undefined,
		context: Context,
	): Promise<FieldsChange> {
		if (!kind.fields || !submitted) return { values, auditChanges: [] };
		const { uuid, columns, before } = write;
		const { category, partnerTypeWith } = kind.fields;
		const record = {
			entity: kind.entity,
			uuid,
			toSurface: async () => ({
				category,
				partnerType: await partnerTypeWith(columns, before, context),
				mode: before ? ("update" as const) : ("create" as const),
			}),
		};
		return changeFields(record, values, submitted, context);
	}

	async function create(
		columns: Columns,
		context: Context,
		submitted: Submitted = { submissions: [] },
		/** Writes the links that the new record begins with. */
		attach?: (uuid: string) => Promise<unknown>,
	) {
		const { caller, nowMs } = context;
		const uuid = context.newUuid();
		const record = { uuid, columns, before: null };
		const written = await writeFields(record, undefined, submitted, context);
		const ids = { uuid, companyUuid: caller.companyUuid };
		const times = { createdAt: nowMs, updatedAt: nowMs };
		const row = { ...columns, ...ids, ...times } as Viewed["row"];
		const followed = await kind.follow?.(row, written.values, true, context);
		// The columns are those of the table: TypeScript cannot tell that of a table that is a type parameter.
		await insertRow(context.db, kind.table, {
			...row,
			...followed?.columns,
		} as never);
		await attach?.(uuid);
		const others = await followed?.settle();
		const attachedTo = await kind.attach(context.db, attach ? [uuid] : []);
		const viewed = await read(uuid, context);
		const fields = await showFields(viewed, written, kind.fields, context.db);
		const after = kind.toShown(viewed, attachedTo(uuid), fields);
		return toOutcome(
			"created",
			uuid,
			null,
			after,
			written.auditChanges,
			others,
		);
	}

	/**
	 * Writes the custom fields and the columns that differ. If nothing differs, it answers the record and emits no
	 * event.
	 */
	async function change(
		viewed: Viewed,
		columns: Columns,
		context: Context,
		action: Exclude<Action, "created"> = "updated",
		submitted?: Submitted,
	): Promise<Outcome<Shown>> {
		const { db, nowMs } = context;
		const { uuid } = viewed.row;
		const attachedTo = await kind.attach(db, [uuid]);
		const fields = await loadFields([viewed], kind.fields, db);
		const before = kind.toShown(viewed, attachedTo(uuid), fields.show(viewed));
		const record = { uuid, columns, before: viewed };
		const written = await writeFields(
			record,
			fields.valuesOf(viewed),
			submitted,
			context,
		);
		const show = async (now: Viewed) =>
			kind.toShown(
				now,
				attachedTo(uuid),
				await showFields(now, written, kind.fields, db),
			);
		const requested = toChangedColumns(viewed.row, columns);
		const row = { ...viewed.row, ...requested };
		const followed = await kind.follow?.(row, written.values, false, context);
		const changed = toChangedColumns(viewed.row, {
			...requested,
			...followed?.columns,
		} as Columns);
		if (!changed && written.auditChanges.length === 0)
			return { result: await show(viewed), changes: [] };
		const table = tableOf(db);
		await db.query
			.update(table)
			.set({ ...changed, updatedAt: nowMs })
			.where(eq(table.uuid, uuid));
		const others = await followed?.settle();
		const after = await show(await read(uuid, context));
		return toOutcome(action, uuid, before, after, written.auditChanges, others);
	}

	/**
	 * The event of a record of which a part was changed. It sets `updated_at` too: a receiver that does not read
	 * `jti` takes two equal bodies for one event.
	 */
	async function touch(
		uuid: string,
		context: Context,
	): Promise<Emission | undefined> {
		const table = tableOf(context.db);
		await context.db.query
			.update(table)
			.set({ updatedAt: context.nowMs })
			.where(eq(table.uuid, uuid));
		const shown = await show(await read(uuid, context), context);
		return toEmission("updated", shown, uuid);
	}

	/** Writes a record's links as an update of the record, with its audit entry and its event. */
	async function changeAttached(
		viewed: Viewed,
		context: Context,
		write: () => Promise<unknown>,
	): Promise<Outcome<Shown>> {
		const before = await show(viewed, context);
		await write();
		const { uuid } = viewed.row;
		const table = tableOf(context.db);
		await context.db.query
			.update(table)
			.set({ updatedAt: context.nowMs })
			.where(eq(table.uuid, uuid));
		const after = await show(await read(uuid, context), context);
		return toOutcome("updated", uuid, before, after);
	}

	/** Deletes a record of a kind that is not archived, after its links. */
	async function remove(
		viewed: Viewed,
		context: Context,
		removeAttached?: () => Promise<unknown>,
	): Promise<Outcome<Success>> {
		const before = await show(viewed, context);
		const { uuid } = viewed.row;
		const table = tableOf(context.db);
		await removeAttached?.();
		await context.db.query.delete(table).where(eq(table.uuid, uuid));
		const { entity } = kind;
		return {
			result: { success: true },
			changes: [{ entity, uuid, action: "deleted", before, after: null }],
		};
	}

	const records = {
		entity: kind.entity,
		/** The table of their links. */
		links: kind.links ?? ("recordLink" as const),
		seek,
		toLive,
		read,
		readLive,
		create,
		change,
		remove,
		touch,
		changeAttached,
		show,
		showAll,
		fields: kind.fields,
	};
	return { ...records, handlers: createRecordHandlers(kind, records) };
}
