import type {
	OperationId,
	PlainDefinition,
	Success,
} from "@partnerwire/contract";
import {
	type AnyColumn,
	and,
	eq,
	getTableColumns,
	type SQL,
	sql,
} from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Change, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { alias } from "../db/alias.ts";
import type { Db, Preparable } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers, Outcome } from "../execute/handlers.ts";
import { fromIso, toIsoOrNull } from "../values/times.ts";
import { whenArchived, whenContains } from "./conditions.ts";
import { createRecords, type One } from "./create-records.ts";
import { countReferences, refuseUsed } from "./in-use.ts";
import { listPage } from "./list-page.ts";
import type { RecordTable } from "./record-kind.ts";
import type { LoadAttached } from "./record-links.ts";
import {
	createReferences,
	type Referable,
	type References,
	toColumn,
} from "./references.ts";

type Columns = Readonly<Record<string, unknown>>;
/** A stored record. Each member that refers to another record holds the columns shown of that record. */
type Viewed = Columns & {
	row: Columns & { uuid: string; companyUuid: string; updatedAt: number };
};
interface PlainQuery extends Preparable<Viewed[]> {
	leftJoin(table: SQLiteTable, on: SQL): PlainQuery;
	where(condition: SQL | undefined): this;
	orderBy(...columns: SQL[]): this;
	limit(rows: number): this;
	offset(rows: number): PromiseLike<Viewed[]>;
}
type ListQuery = Columns & { page: number; per_page: number };

/** The rules of a kind of plain records beyond its definition in the contract. */
export interface PlainRules<Attached extends object> {
	/** The members of bodies that refer to a record, each with the kind of record. */
	readonly references?: Readonly<Record<string, Referable>>;
	/** Throws if the body's columns are not allowed for the record; the record is null on create. */
	refuse?(
		columns: Columns,
		row: Columns | null,
		context: Context,
	): Promise<void>;
	/** Loads the linked records that are shown with it, such as its tags. */
	readonly attach?: LoadAttached<Attached>;
	/** Filters that are not on the table's own columns, such as tags; `column` holds the record's uuid. */
	toConditions?(
		db: Db,
		column: AnyColumn,
		query: ListQuery,
	): (SQL | undefined)[];
	/** Counts the records that refer to it without a foreign key, such as from inside JSON. */
	countUses?(uuid: string, context: Context): Promise<number>;
	/** Removes what belongs to a record before the record is deleted. */
	removing?(uuid: string, context: Context): Promise<void>;
}

/** The members of the referenced record that a reference shows. */
function toShownColumns(
	all: Record<string, AnySQLiteColumn>,
): Record<string, AnySQLiteColumn> {
	const { partnerType, label, title, url, ...columns } = all;
	const { uuid, name } = columns as Record<"uuid" | "name", AnySQLiteColumn>;
	return partnerType
		? { uuid, name, partner_type: partnerType }
		: { uuid, label: label ?? title ?? url ?? name };
}

/** Creates the handlers of a kind of plain records from its definition in the contract. */
export function createPlain<
	const Definition extends PlainDefinition,
	Attached extends object = object,
>(definition: Definition, rules: PlainRules<Attached> = {}) {
	const { noun, plural, entity, members, removal } = definition;
	const words = entity.replaceAll("_", " ");
	const tableName = noun.replace(/^./, (first) =>
		first.toLowerCase(),
	) as RecordTable;
	// All of these tables have the columns of this one, which a type parameter cannot express.
	const tableOf = ({ tables }: Db) => tables[tableName] as Tables["product"];
	const columnOf = (db: Db, member: string) =>
		getTableColumns(tableOf(db))[toColumn(member) as "name"];
	const references = Object.entries(rules.references ?? {});
	const shownMembers = Object.keys(definition.item.shape);

	const select = (db: Db) => {
		const named = references.map(([member, to]) => {
			const table = alias(db.tables[to] as Tables["product"], member);
			return { member, table, columns: toShownColumns(getTableColumns(table)) };
		});
		const shown = named.map(({ member, columns }) => [member, columns]);
		// The columns of the references are known only at run time, so the builder cannot infer the type.
		const query = db.query
			.select({ row: tableOf(db), ...Object.fromEntries(shown) })
			.from(tableOf(db))
			.$dynamic() as unknown as PlainQuery;
		return named.reduce(
			(joined, { member, table }) =>
				joined.leftJoin(table, eq(table.uuid, columnOf(db, member))),
			query,
		);
	};

	const find = defineQuery(`${entity}_by_uuid`, (db) =>
		select(db).where(
			and(
				eq(tableOf(db).uuid, sql.placeholder("uuid")),
				eq(tableOf(db).companyUuid, sql.placeholder("companyUuid")),
			),
		),
	);

	const toMember = ({ row, ...referred }: Viewed, member: string) => {
		const value = row[toColumn(member)];
		return member.endsWith("_at")
			? toIsoOrNull(value as number | null)
			: (referred[`${member}_uuid`] ?? value ?? null);
	};
	const toShown = (viewed: Viewed, attached: Attached) =>
		Object.fromEntries(
			shownMembers.map((member) => [
				member,
				attached[member as keyof Attached] ?? toMember(viewed, member),
			]),
		) as Resource & Attached;

	async function toColumns(
		body: object,
		references: References,
	): Promise<Columns> {
		const columns: Record<string, unknown> = {};
		for (const [member, value] of Object.entries(body)) {
			if (!members.includes(member)) continue;
			const to = rules.references?.[member];
			if (to) await references.find(to, member, value as string | null);
			columns[toColumn(member)] = member.endsWith("_at")
				? fromIso(value as string | null)
				: value;
		}
		references.refuseInvalid();
		return columns;
	}

	const attachNothing = async () => () => ({}) as Attached;
	const records = createRecords<Viewed, Resource & Attached, object, Attached>({
		table: tableName,
		entity,
		noun: words,
		find,
		attach: rules.attach ?? attachNothing,
		toShown,
		toColumns,
	});

	/** A record as the audit log shows it, with labels in place of uuids (docs/contract.md#versioning). */
	async function toAudited(shown: Resource | null, { db, caller }: Context) {
		if (!shown) return null;
		const labelled = { ...shown };
		for (const [member, to] of references) {
			const uuid = shown[member];
			if (typeof uuid !== "string") continue;
			const table = db.tables[to] as Tables["product"];
			const [referred] = await db.query
				.select(toShownColumns(getTableColumns(table)))
				.from(table)
				.where(
					and(eq(table.uuid, uuid), eq(table.companyUuid, caller.companyUuid)),
				);
			labelled[member] = referred ?? uuid;
		}
		return labelled;
	}

	async function toLabelled<Result>(
		{ result, changes }: Outcome<Result>,
		context: Context,
	): Promise<Outcome<Result>> {
		const labelled: Change[] = [];
		for (const change of changes) {
			const before = await toAudited(change.before, context);
			const after = await toAudited(change.after, context);
			labelled.push({ ...change, before, after });
		}
		return { result, changes: labelled };
	}

	const toFilters = (db: Db, query: ListQuery) =>
		Object.entries(query)
			.filter(([name, value]) => members.includes(name) && value !== undefined)
			.map(([name, value]) => eq(columnOf(db, name), value as string));

	async function remove(
		{ params }: One,
		context: Context,
	): Promise<Outcome<Success>> {
		const { db } = context;
		const viewed = await records.read(params.uuid, context);
		const before = await records.show(viewed, context);
		const inside = (await rules.countUses?.(params.uuid, context)) ?? 0;
		const uses = inside + (await countReferences(db, tableName, params.uuid));
		refuseUsed({ noun: words, name: String(before[definition.name]) }, uses);
		await rules.removing?.(params.uuid, context);
		await db.query.delete(tableOf(db)).where(eq(tableOf(db).uuid, params.uuid));
		const deletion = { entity, uuid: params.uuid, action: "deleted" };
		const changes = [{ ...deletion, before, after: null }];
		return toLabelled({ result: { success: true }, changes }, context);
	}

	const handlers = {
		[`list${plural}`]: ({ query }: { query: ListQuery }, context: Context) => {
			const { db, caller } = context;
			const table = tableOf(db);
			const name = columnOf(db, definition.name);
			return listPage(db, query, {
				table,
				query: select(db),
				conditions: [
					eq(table.companyUuid, caller.companyUuid),
					...(removal === "archive"
						? [whenArchived(table.archivedAt, query.archived === true)]
						: []),
					whenContains(db, [name], query.search as string | undefined),
					...toFilters(db, query),
					...(rules.toConditions?.(db, table.uuid, query) ?? []),
				],
				sortable: { [definition.name]: name },
				toItems: (rows) => records.showAll(rows, { db }),
			});
		},

		[`get${noun}`]: records.handlers.get,

		[`create${noun}`]: async ({ body }: { body: object }, context: Context) => {
			const columns = await toColumns(body, createReferences(context));
			await rules.refuse?.(columns, null, context);
			return toLabelled(await records.create(columns, context), context);
		},

		[`update${noun}`]: async (
			{ params, body }: One & { body: object },
			context: Context,
		) => {
			const found = await records.seek(params.uuid, context);
			const references = createReferences(context, found?.row);
			const columns = await toColumns(body, references);
			const viewed = records.toLive(found);
			await rules.refuse?.(columns, viewed.row, context);
			return toLabelled(
				await records.change(viewed, columns, context),
				context,
			);
		},

		...(removal === "archive"
			? {
					[`archive${noun}`]: records.handlers.archive,
					[`restore${noun}`]: records.handlers.restore,
				}
			: { [`delete${noun}`]: remove }),
	};

	return {
		...records,
		/** Handlers by operation id. The cast is safe: the definition derives the operations from the same names. */
		handlers: handlers as unknown as Pick<
			Handlers,
			keyof Definition["operations"] & OperationId
		>,
	};
}
