import { ApiError } from "@partnerwire/contract";
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
import type { Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Tables } from "../db/tables.ts";
import { foldCase } from "../values/fold-case.ts";
import { refuseUsed } from "./in-use.ts";
import { createResource } from "./resource.ts";
import { type One, type ResourceKind, selectRows } from "./resource-kind.ts";

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
	Body,
> extends Pick<
		ResourceKind<{ row: RowOf<Table> }, Shown>,
		"entity" | "noun" | "complete" | "refuse" | "removing" | "cascade"
	> {
	readonly table: Table;
	/** The column values by which the kind's rows are known, if the table holds several kinds. */
	readonly discriminator?: Partial<RowOf<Table>>;
	/** Labels are unique among rows equal in these columns (docs/decisions.md#configuration-labels); else left out. */
	readonly uniqueWithin?: readonly (keyof RowOf<Table> & string)[];
	toShown(row: RowOf<Table>): Shown;
	/** Adds to rows what they show beyond their columns, such as a custom field's options. */
	attach?(
		rows: readonly RowOf<Table>[],
		context: Pick<Context, "db">,
	): Promise<(row: RowOf<Table>) => Partial<Shown>>;
	toColumns(body: Body): Partial<RowOf<Table>>;
	uses?(tables: Tables, id: number): Use[];
	/** Counts the uses of a row, if references alone do not tell. */
	countUses?(row: RowOf<Table>, context: Context): Promise<number>;
	/** Writes what belongs to a new row. */
	created?(uuid: string, body: Body, context: Context): Promise<void>;
}

/** The handlers of one kind of settings. Deleting one that is in use is a 409 (docs/contract.md#errors). */
export function createSettings<
	Table extends SettingTable,
	Shown extends Resource,
	Body extends { label?: string | undefined },
>(kind: SettingKind<Table, Shown, Body>) {
	type Row = RowOf<Table>;
	// All of these tables have the columns of this one, which a type parameter cannot express.
	const tableOf = ({ tables }: Db) => tables[kind.table] as Tables["category"];

	const isOfKind = (db: Db) =>
		and(
			...Object.entries(kind.discriminator ?? {}).map(([column, value]) =>
				eq(tableOf(db)[column as "label"], value as string),
			),
		);

	async function showAll(
		viewed: readonly { row: Row }[],
		context: Pick<Context, "db">,
	): Promise<Shown[]> {
		const rows = viewed.map(({ row }) => row);
		const attachedTo = await kind.attach?.(rows, context);
		return rows.map((row) => ({ ...kind.toShown(row), ...attachedTo?.(row) }));
	}

	/** Throws a 409 if another row within the same scope has the label, whatever its letter case. */
	async function refuseTaken(
		row: Partial<Row>,
		label: string,
		{ db, caller }: Context,
	): Promise<void> {
		const table = tableOf(db);
		const scope = (kind.uniqueWithin ?? []).map((column) =>
			eq(table[column as "label"], row[column] as string),
		);
		const taken = await db.query
			.select({ uuid: table.uuid })
			.from(table)
			.where(
				and(
					eq(table.companyUuid, caller.companyUuid),
					isOfKind(db),
					eq(table.labelKey, foldCase(label)),
					ne(table.uuid, row.uuid as string),
					...scope,
				),
			);
		if (taken.length === 0) return;
		throw new ApiError(
			"conflict",
			`another ${kind.noun} has the label "${label}"`,
		);
	}

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

	const resource = createResource<{ row: Row }, Shown>({
		...kind,
		select: selectRows(kind.table),
		isOfKind,
		showAll,
		async refuse(columns, viewed, context) {
			const { label } = columns;
			if (kind.uniqueWithin && label !== undefined)
				await refuseTaken({ ...viewed?.row, ...columns }, label, context);
			await kind.refuse?.(columns, viewed, context);
		},
		async removing(row, context) {
			const uses = await countUses(row, context);
			refuseUsed({ noun: kind.noun, name: row.label }, uses);
			await kind.removing?.(row, context);
		},
	});

	const toColumns = (body: Body) => ({
		...kind.toColumns(body),
		...kind.discriminator,
		...(kind.uniqueWithin &&
			body.label !== undefined && { labelKey: foldCase(body.label) }),
	});

	return {
		...resource,
		readRow: async (uuid: string, context: Context): Promise<Row> =>
			(await resource.read(uuid, context)).row,

		/** All rows, in the given order. */
		listAll: async (
			context: Context,
			condition: SQL | undefined,
			order: readonly SQL[],
		): Promise<Shown[]> => {
			const { db, caller } = context;
			const { companyUuid, uuid } = tableOf(db);
			const rows = await selectRows(kind.table)(db)
				.where(
					and(eq(companyUuid, caller.companyUuid), isOfKind(db), condition),
				)
				.orderBy(...order, asc(uuid));
			return showAll(rows, context);
		},

		handlers: {
			get: async ({ params }: One, context: Context) =>
				resource.show(await resource.read(params.uuid, context), context),

			create: ({ body }: { body: Body }, context: Context) =>
				resource.create(toColumns(body), context, {
					async cascade(uuid) {
						await kind.created?.(uuid, body, context);
						return undefined;
					},
				}),

			update: async (
				{ params, body }: One & { body: Body },
				context: Context,
			) => {
				const viewed = await resource.read(params.uuid, context);
				return resource.change(viewed, toColumns(body), context);
			},

			remove: async ({ params }: One, context: Context) =>
				resource.remove(await resource.read(params.uuid, context), context),
		},
	};
}
