import { ApiError, notFound, type Success } from "@partnerwire/contract";
import {
	type AnyColumn,
	and,
	asc,
	count,
	countDistinct,
	eq,
	ne,
	type SQL,
} from "drizzle-orm";
import type { Change, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { insertRow, type RowOf } from "../db/insert-row.ts";
import type { Tables } from "../db/tables.ts";
import type { Outcome } from "../execute/handlers.ts";
import { foldCase } from "../values/fold-case.ts";
import type { One } from "./create-records.ts";
import { refuseUsed } from "./in-use.ts";
import { toChangedColumns } from "./patch.ts";

type SettingTable =
	| "stage"
	| "tier"
	| "category"
	| "tag"
	| "attribution"
	| "partnerRole"
	| "customField";

/** A place where a setting is used: a table, and the condition for rows that refer to the setting. */
interface Use {
	readonly table: Tables[
		| "partner"
		| "lead"
		| "deal"
		| "recordLink"
		| "leadAttribution"
		| "dealPartner"
		| "contentLink"];
	readonly where: SQL | undefined;
	/** The record that a row belongs to, if a record may have several rows. */
	readonly of?: AnyColumn;
}

/** One kind of configuration of a company, such as its tiers. */
export interface SettingKind<
	Table extends SettingTable,
	Shown extends Resource,
	Create,
	Update,
> {
	readonly table: Table;
	/** The kind's name in the audit log. */
	readonly entity: string;
	readonly noun: string;
	/** Column values that all rows of the kind share, if the table holds several kinds. */
	readonly own?: Partial<RowOf<Table>>;
	/** Labels are unique among rows equal in these columns (docs/decisions.md#configuration-labels); else left out. */
	readonly uniqueWithin?: readonly (keyof RowOf<Table> & string)[];
	toShown(row: RowOf<Table>): Shown;
	/** Adds to rows what they show beyond their columns, such as a custom field's options. */
	attach?(
		rows: readonly RowOf<Table>[],
		context: Context,
	): Promise<(row: RowOf<Table>) => Partial<Shown>>;
	toColumns(body: Create | Update): Partial<RowOf<Table>>;
	/** Columns of a new row that depend on the other rows, such as its `series`. */
	complete?(
		columns: Partial<RowOf<Table>>,
		context: Context,
	): Promise<Partial<RowOf<Table>>>;
	uses?(tables: Tables, id: number): Use[];
	/** Counts the uses of a row, if references alone do not tell. */
	countUses?(row: RowOf<Table>, context: Context): Promise<number>;
	/** Throws if the change is not allowed. */
	refuseChange?(
		row: RowOf<Table>,
		changed: Partial<RowOf<Table>>,
		context: Context,
	): Promise<void>;
	/** Writes what belongs to a new row. */
	created?(uuid: string, body: Create, context: Context): Promise<void>;
	/** Removes what belongs to a row before it is deleted. Throws if the row must stay. */
	removing?(row: RowOf<Table>, context: Context): Promise<void>;
	/** Runs after every change of a row of the kind. */
	settle?(context: Context): Promise<void>;
}

/** The handlers of one kind of settings. Deleting one that is in use is a 409 (docs/contract.md#errors). */
export function createSettings<
	Table extends SettingTable,
	Shown extends Resource,
	Create extends { label: string },
	Update extends { label?: string | undefined },
>(kind: SettingKind<Table, Shown, Create, Update>) {
	type Row = RowOf<Table>;
	// All of these tables have the columns of this one, which a type parameter cannot express.
	const tableOf = ({ tables }: Db) => tables[kind.table] as Tables["category"];

	/** The rows of the calling company that are of this kind. */
	const isOwn = ({ db, caller }: Pick<Context, "db" | "caller">) =>
		and(
			eq(tableOf(db).companyUuid, caller.companyUuid),
			...Object.entries(kind.own ?? {}).map(([column, value]) =>
				eq(tableOf(db)[column as "label"], value as string),
			),
		);

	async function read(uuid: string, context: Context): Promise<Row> {
		const table = tableOf(context.db);
		const [row] = await context.db.query
			.select()
			.from(table)
			.where(and(eq(table.uuid, uuid), isOwn(context)));
		if (!row) throw notFound(kind.noun);
		return row as Row;
	}

	async function showAll(rows: readonly Row[], context: Context) {
		const attachedTo = await kind.attach?.(rows, context);
		return rows.map((row) => ({ ...kind.toShown(row), ...attachedTo?.(row) }));
	}

	const show = async (row: Row, context: Context): Promise<Shown> =>
		(await showAll([row], context))[0] as Shown;

	/** Throws a 409 if another row within the same scope has the label, whatever its letter case. */
	async function refuseTaken(
		row: Partial<Row> & { uuid: string },
		label: string,
		context: Context,
	): Promise<void> {
		if (!kind.uniqueWithin) return;
		const table = tableOf(context.db);
		const scope = kind.uniqueWithin.map((column) =>
			eq(table[column as "label"], row[column] as string),
		);
		const taken = await context.db.query
			.select({ uuid: table.uuid })
			.from(table)
			.where(
				and(
					isOwn(context),
					eq(table.labelKey, foldCase(label)),
					ne(table.uuid, row.uuid),
					...scope,
				),
			);
		if (taken.length === 0) return;
		throw new ApiError(
			"conflict",
			`there is already a ${kind.noun} "${label}"`,
		);
	}

	const toLabelKey = (label: string | undefined) =>
		kind.uniqueWithin && label !== undefined
			? { labelKey: foldCase(label) }
			: {};

	const toChange = (
		action: Change["action"],
		uuid: string,
		before: Shown | null,
		after: Shown | null,
	): Change => ({ entity: kind.entity, uuid, action, before, after });

	async function countUses(row: Row, context: Context): Promise<number> {
		const { db } = context;
		let uses = (await kind.countUses?.(row, context)) ?? 0;
		for (const { table, where, of } of kind.uses?.(db.tables, row.id) ?? []) {
			const [counted] = await db.query
				.select({ rows: of ? countDistinct(of) : count() })
				.from(table)
				.where(where);
			uses += counted?.rows ?? 0;
		}
		return uses;
	}

	return {
		isOwn,
		read,

		/** All rows, in the given order. */
		list: async (
			context: Context,
			condition: SQL | undefined,
			order: readonly SQL[],
		): Promise<Shown[]> => {
			const table = tableOf(context.db);
			const rows = await context.db.query
				.select()
				.from(table)
				.where(and(isOwn(context), condition))
				.orderBy(...order, asc(table.uuid));
			return showAll(rows as Row[], context);
		},

		get: async ({ params }: One, context: Context) =>
			show(await read(params.uuid, context), context),

		create: async (
			{ body }: { body: Create },
			context: Context,
		): Promise<Outcome<Shown>> => {
			const { db, caller, nowMs } = context;
			const uuid = context.newUuid();
			const requested = { ...kind.toColumns(body), ...kind.own };
			const columns = {
				...requested,
				...(await kind.complete?.(requested, context)),
				uuid,
			};
			await refuseTaken(columns, body.label, context);
			// The columns are those of the table: TypeScript cannot tell that of a table that is a type parameter.
			await insertRow(db, kind.table, {
				...columns,
				...toLabelKey(body.label),
				companyUuid: caller.companyUuid,
				createdAt: nowMs,
				updatedAt: nowMs,
			} as never);
			await kind.created?.(uuid, body, context);
			await kind.settle?.(context);
			const created = await show(await read(uuid, context), context);
			const change = toChange("created", uuid, null, created);
			return { result: created, changes: [change] };
		},

		update: async (
			{ params, body }: One & { body: Update },
			context: Context,
		): Promise<Outcome<Shown>> => {
			const row = await read(params.uuid, context);
			const before = await show(row, context);
			const columns = { ...kind.toColumns(body), ...toLabelKey(body.label) };
			const changed = toChangedColumns<object>(row, columns);
			if (!changed) return { result: before, changes: [] };
			if (body.label !== undefined) {
				await refuseTaken(
					{ ...row, ...changed, uuid: params.uuid },
					body.label,
					context,
				);
			}
			await kind.refuseChange?.(row, changed as Partial<Row>, context);
			const table = tableOf(context.db);
			await context.db.query
				.update(table)
				.set({ ...changed, updatedAt: context.nowMs })
				.where(eq(table.uuid, params.uuid));
			await kind.settle?.(context);
			const after = await show(await read(params.uuid, context), context);
			const change = toChange("updated", params.uuid, before, after);
			return { result: after, changes: [change] };
		},

		remove: async (
			{ params }: One,
			context: Context,
		): Promise<Outcome<Success>> => {
			const row = await read(params.uuid, context);
			const uses = await countUses(row, context);
			refuseUsed({ noun: kind.noun, name: row.label }, uses);
			const before = await show(row, context);
			await kind.removing?.(row, context);
			const table = tableOf(context.db);
			await context.db.query.delete(table).where(eq(table.uuid, params.uuid));
			await kind.settle?.(context);
			const change = toChange("deleted", params.uuid, before, null);
			return { result: { success: true }, changes: [change] };
		},
	};
}
