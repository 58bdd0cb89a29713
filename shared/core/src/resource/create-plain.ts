import type { OperationId, PlainDefinition } from "@partnerwire/contract";
import {
	type AnyColumn,
	and,
	eq,
	getTableColumns,
	type SQL,
} from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { alias } from "../db/alias.ts";
import type { Db } from "../db/db.ts";
import type { Tables } from "../db/tables.ts";
import type { Handlers } from "../execute/handlers.ts";
import { fromIso, toIsoOrNull } from "../values/times.ts";
import { whenContains } from "./conditions.ts";
import { createRecords } from "./create-records.ts";
import { countReferences, refuseUsed } from "./in-use.ts";
import type { LoadAttached } from "./record-links.ts";
import { type Referable, type References, toColumn } from "./references.ts";
import type { ResourceTable, StoredRow, ViewQuery } from "./resource-kind.ts";

type Columns = Readonly<Record<string, unknown>>;
/** A stored record. Each member that refers to another record holds the columns shown of that record. */
type Viewed = Columns & { row: Columns & StoredRow };
interface PlainQuery extends ViewQuery<Viewed> {
	leftJoin(table: SQLiteTable, on: SQL): PlainQuery;
}
type ListQuery = Columns & { page: number; per_page: number };

/** The rules of a kind of plain records beyond its definition in the contract. */
export interface PlainRules<Attached extends object> {
	/** The members of bodies that refer to a record, each with the kind of record. */
	readonly references?: Readonly<Record<string, Referable>>;
	/** Throws if these columns are not allowed for the record; the record is null on create. */
	refuse?(
		columns: Columns,
		viewed: { row: Columns } | null,
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
	removing?(row: { uuid: string }, context: Context): Promise<void>;
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
	) as ResourceTable;
	// All of these tables have the columns of this one, which a type parameter cannot express.
	const tableOf = ({ tables }: Db) => tables[tableName] as Tables["product"];
	const columnOf = (db: Db, member: string) =>
		getTableColumns(tableOf(db))[toColumn(member) as "name"];
	const references = Object.entries(rules.references ?? {});
	const shownMembers = Object.keys(definition.item.shape);

	/** Joins the referenced records of the same company, each under the name of the member that refers to it. */
	function select(db: Db): PlainQuery {
		const joined = references.map(([member, to]) => {
			const table = alias(db.tables[to] as Tables["product"], member);
			return { member, table, columns: toShownColumns(getTableColumns(table)) };
		});
		const shown = joined.map(({ member, columns }) => [member, columns]);
		let query = db.query
			.select({ row: tableOf(db), ...Object.fromEntries(shown) })
			.from(tableOf(db))
			.$dynamic() as ViewQuery<unknown> as PlainQuery;
		for (const { member, table } of joined)
			query = query.leftJoin(
				table,
				and(
					eq(table.uuid, columnOf(db, member)),
					eq(table.companyUuid, tableOf(db).companyUuid),
				) as SQL,
			);
		return query;
	}

	const toMember = ({ row, ...referred }: Viewed, member: string) => {
		const value = row[toColumn(member)];
		return member.endsWith("_at")
			? toIsoOrNull(value as number | null)
			: (referred[`${member}_uuid`] ?? value ?? null);
	};

	async function toColumns(body: object, found: References): Promise<Columns> {
		const columns: Record<string, unknown> = {};
		for (const [member, value] of Object.entries(body)) {
			if (!members.includes(member)) continue;
			const to = rules.references?.[member];
			if (to) await found.find(to, member, value as string | null);
			columns[toColumn(member)] = member.endsWith("_at")
				? fromIso(value as string | null)
				: value;
		}
		found.refuseInvalid();
		return columns;
	}

	const records = createRecords<Viewed, Resource & Attached, object, Attached>({
		...rules,
		table: tableName,
		entity,
		noun: words,
		select,
		toColumns,
		toShown: (viewed, attached) =>
			Object.fromEntries(
				shownMembers.map((member) => [
					member,
					attached?.[member as keyof Attached] ?? toMember(viewed, member),
				]),
			) as Resource & Attached,
		/** The audit log has labels in place of uuids (docs/contract.md#versioning). */
		toAudited: (shown, viewed) => ({
			...shown,
			...Object.fromEntries(
				references
					.filter(([member]) => member in shown)
					.map(([member]) => [member, viewed[member] ?? shown[member]]),
			),
		}),
		async removing(row, context) {
			const inside = (await rules.countUses?.(row.uuid, context)) ?? 0;
			const { db } = context;
			const uses = inside + (await countReferences(db, tableName, row.uuid));
			const name = String(row[toColumn(definition.name)]);
			refuseUsed({ noun: words, name }, uses);
			await rules.removing?.(row, context);
		},
	});

	const toFilters = (db: Db, query: ListQuery) =>
		Object.entries(query)
			.filter(([name, value]) => members.includes(name) && value !== undefined)
			.map(([name, value]) => eq(columnOf(db, name), value as string));

	const handlers = {
		[`list${plural}`]: ({ query }: { query: ListQuery }, context: Context) => {
			const { db } = context;
			const name = columnOf(db, definition.name);
			return records.list(query, context, {
				conditions: [
					whenContains(db, [name], query.search as string | undefined),
					...toFilters(db, query),
					...(rules.toConditions?.(db, tableOf(db).uuid, query) ?? []),
				],
				sortable: { [definition.name]: name },
			});
		},
		[`get${noun}`]: records.handlers.get,
		[`create${noun}`]: records.handlers.create,
		[`update${noun}`]: records.handlers.update,
		...(removal === "archive"
			? {
					[`archive${noun}`]: records.handlers.archive,
					[`restore${noun}`]: records.handlers.restore,
				}
			: { [`delete${noun}`]: records.handlers.remove }),
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
