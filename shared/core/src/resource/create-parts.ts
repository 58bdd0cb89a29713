import { notFound, type Success } from "@partnerwire/contract";
import {
	and,
	asc,
	desc,
	eq,
	getTableColumns,
	type SQL,
	sql,
} from "drizzle-orm";
import type { Change, Emission, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db, Preparable } from "../db/db.ts";
import { insertRow, type RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import type { Outcome } from "../execute/handlers.ts";
import type { One } from "./create-records.ts";
import { toChangedColumns } from "./patch.ts";
import { createReferences, type References } from "./references.ts";

/** The path of a part under its record. */
export interface Part {
	params: { uuid: string; subUuid: string };
}

interface PartsQuery<Viewed> extends Preparable<Viewed[]> {
	where(condition: SQL | undefined): this;
	orderBy(...columns: SQL[]): this;
}

/** The parents of parts; `createRecords` makes it. */
export interface PartParents {
	read(uuid: string, context: Context): Promise<unknown>;
	readLive(uuid: string, context: Context): Promise<unknown>;
	touch(uuid: string, context: Context): Promise<Emission | undefined>;
}

/** The tables of records that belong to one parent. */
type PartTable = {
	[Name in keyof Tables]: RowOf<Name> extends PartRow ? Name : never;
}[keyof Tables];
interface PartRow {
	uuid: string;
	companyUuid: string;
	createdAt: number;
}

/** One kind of plain records under a partner, a lead or a deal, such as a deal's payments. */
export interface PartKind<
	Table extends PartTable,
	Viewed extends { row: RowOf<Table> },
	Shown extends Resource,
	Create,
	Update,
> {
	readonly table: Table;
	/** The kind's name in the audit log. */
	readonly entity: string;
	readonly noun: string;
	readonly parents: PartParents;
	/** The column that refers to the parent. */
	readonly column: keyof RowOf<Table> & `${string}Uuid`;
	select(db: Db): PartsQuery<Viewed>;
	/** Columns to sort by, before age. */
	readonly order?: (db: Db) => SQL;
	toShown(viewed: Viewed): Shown;
	/** Converts a body to columns. Throws a 400 for invalid references. */
	toCreated(
		body: Create,
		references: References,
		parent: { uuid: string; context: Context },
	): Promise<Partial<RowOf<Table>>>;
	toChanged(
		body: Update,
		references: References,
		part: { params: Part["params"]; viewed: Viewed; context: Context },
	): Promise<Partial<RowOf<Table>>>;
	/** Throws if the part must not be removed. */
	refuseRemoval?(row: RowOf<Table>, context: Context): Promise<void>;
	/** Changes the parent's other parts after one was written or removed. The audit log has them; they emit no events. */
	settle?(
		path: Part["params"],
		context: Context,
	): Promise<readonly { before: Shown; after: Shown }[]>;
}

/** The four handlers of a kind of parts: a bare list, create, update, delete. Each change is an update of the parent. */
export function createParts<
	Table extends PartTable,
	Viewed extends { row: RowOf<Table> },
	Shown extends Resource & { uuid: string },
	Create,
	Update,
>(kind: PartKind<Table, Viewed, Shown, Create, Update>) {
	const tableOf = ({ tables }: Db) => tables[kind.table];
	const parentColumn = (db: Db) =>
		getTableColumns(tableOf(db))[kind.column as "companyUuid"];

	const find = defineQuery(`${kind.entity}_by_uuid`, (db) =>
		kind
			.select(db)
			.where(
				and(
					eq(tableOf(db).uuid, sql.placeholder("uuid")),
					eq(parentColumn(db), sql.placeholder("parentUuid")),
				),
			),
	);

	/** Reads a part under its own parent. A part of another record is 404, like one that does not exist. */
	async function readPart({ params }: Part, { db }: Context): Promise<Viewed> {
		const { uuid: parentUuid, subUuid: uuid } = params;
		const [found] = await find(db, { uuid, parentUuid });
		if (!found) throw notFound(kind.noun);
		return found;
	}

	async function toChange(
		action: "created" | "updated" | "deleted",
		{ params }: Part,
		shown: { before: Shown | null; after: Shown | null },
		context: Context,
	): Promise<Change> {
		return {
			entity: kind.entity,
			uuid: params.subUuid,
			action,
			...shown,
			emits: await kind.parents.touch(params.uuid, context),
		};
	}

	async function settle(
		path: Part["params"],
		context: Context,
	): Promise<Change[]> {
		const others = (await kind.settle?.(path, context)) ?? [];
		return others.map(({ before, after }) => ({
			entity: kind.entity,
			uuid: after.uuid,
			action: "updated",
			before,
			after,
		}));
	}

	return {
		list: async ({ params }: One, context: Context): Promise<Shown[]> => {
			const { db } = context;
			await kind.parents.read(params.uuid, context);
			const { createdAt, uuid } = tableOf(db);
			// Parts with an order of their own are read in it, then the oldest first. Others are read newest first.
			const byAge = [kind.order ? asc(createdAt) : desc(createdAt), asc(uuid)];
			const rows = await kind
				.select(db)
				.where(eq(parentColumn(db), params.uuid))
				.orderBy(...(kind.order ? [kind.order(db)] : []), ...byAge);
			return rows.map(kind.toShown);
		},

		create: async (
			{ params, body }: One & { body: Create },
			context: Context,
		): Promise<Outcome<Shown>> => {
			const { db, nowMs, caller } = context;
			const parent = { uuid: params.uuid, context };
			await kind.parents.readLive(params.uuid, context);
			const references = createReferences(context);
			const columns = await kind.toCreated(body, references, parent);
			const subUuid = context.newUuid();
			// The columns are those of the table: TypeScript cannot tell that of a table that is a type parameter.
			await insertRow(db, kind.table, {
				...columns,
				uuid: subUuid,
				companyUuid: caller.companyUuid,
				[kind.column]: params.uuid,
				createdAt: nowMs,
				updatedAt: nowMs,
			} as never);
			const part = { params: { uuid: params.uuid, subUuid } };
			const others = await settle(part.params, context);
			const after = kind.toShown(await readPart(part, context));
			const shown = { before: null, after };
			const change = await toChange("created", part, shown, context);
			return { result: after, changes: [change, ...others] };
		},

		update: async (
			{ params, body }: Part & { body: Update },
			context: Context,
		): Promise<Outcome<Shown>> => {
			const { db, nowMs } = context;
			await kind.parents.readLive(params.uuid, context);
			const found = await readPart({ params }, context);
			const before = kind.toShown(found);
			const references = createReferences(context);
			const part = { params, viewed: found, context };
			const columns = await kind.toChanged(body, references, part);
			const changed = toChangedColumns<RowOf<Table>>(found.row, columns);
			if (!changed) return { result: before, changes: [] };
			const table = tableOf(db);
			await db.query
				.update(table)
				// The columns are those of the table: TypeScript cannot tell that of a table that is a type parameter.
				.set({ ...changed, updatedAt: nowMs } as never)
				.where(eq(table.uuid, params.subUuid));
			const others = await settle(params, context);
			const after = kind.toShown(await readPart({ params }, context));
			const shown = { before, after };
			const change = await toChange("updated", { params }, shown, context);
			return { result: after, changes: [change, ...others] };
		},

		remove: async (
			{ params }: Part,
			context: Context,
		): Promise<Outcome<Success>> => {
			await kind.parents.readLive(params.uuid, context);
			const found = await readPart({ params }, context);
			const before = kind.toShown(found);
			await kind.refuseRemoval?.(found.row, context);
			const table = tableOf(context.db);
			await context.db.query
				.delete(table)
				.where(eq(table.uuid, params.subUuid));
			const others = await settle(params, context);
			const shown = { before, after: null };
			const change = await toChange("deleted", { params }, shown, context);
			return { result: { success: true }, changes: [change, ...others] };
		},
	};
}
