import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { anyLike, isLike, type SearchIndex } from "./search-text.ts";
import { findRows, fold, isFound } from "./sqlite/search.ts";

/** The SQL that differs between the two engines. */
export interface Dialect {
	readonly name: "sqlite" | "postgres";
	/** The database's clock, in milliseconds since the epoch. Leases are measured by it. */
	now(): SQL<number>;
	/** Case-insensitive "contains"; `%`, `_` and `\` match themselves. */
	contains(column: AnyColumn, text: string): SQL;
	/**
	 * Like `contains`, over the columns of a table's search index. Text under three characters must be at the beginning.
	 */
	search(index: SearchIndex, text: string): SQL;
	/**
	 * The same matches as rows of the search index, for a list filtered by text alone. Null where searching the table is
	 * as fast.
	 */
	searchRows(index: SearchIndex, text: string): SearchRows | null;
	/** Whether a JSON list of texts includes this one. */
	listIncludes(column: AnyColumn, text: SQLWrapper): SQL;
	/** Whether a column's value is in a `toList`. */
	isAmong(column: AnyColumn, list: SQLWrapper): SQL;
	/** A list of numbers as the value of one parameter. */
	toList(numbers: readonly number[]): unknown;
	/** A JSON list of objects in one parameter, as a table of this name with these columns. */
	rowsOf(json: SQLWrapper, name: string, columns: ColumnTypes): SQL;
	/** Whether a key is among those that a query finds. */
	isFoundBy(key: AnyColumn, keys: SQL): SQL;
	/** At the end of a query: locks its rows, and leaves out those that another transaction holds. */
	readonly skipLocked: SQL;
	/** Whether a column contains a text, character by character. */
	includes(column: AnyColumn, text: string): SQL;
	/** The column without use of its index: another condition finds fewer rows. */
	unindexed(column: AnyColumn): SQL;
}

/** Column names with their types on PostgreSQL. On SQLite, JSON values have their types. */
export type ColumnTypes = Readonly<
	Record<string, "bigint" | "boolean" | "text" | "uuid">
>;

/** Each row has its record's uuid and the columns that decide its place in a list. */
interface SearchRows {
	readonly table: SQLiteTable & {
		uuid: AnySQLiteColumn;
		companyUuid: AnyColumn;
		createdAt: AnyColumn;
		archivedAt: AnyColumn;
	};
	readonly where: SQL;
}

export const sqliteDialect: Dialect = {
	name: "sqlite",
	now: () => sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
	contains: (column, text) => isLike(fold(column), text),
	search: isFound,
	searchRows: findRows,
	listIncludes: (column, text) =>
		sql`instr(${column}, '"' || ${text} || '"') > 0`,
	isAmong: (column, list) =>
		sql`${column} in (select value from json_each(${list}))`,
	toList: (numbers) => JSON.stringify(numbers),
	rowsOf(json, name, columns) {
		const members = Object.keys(columns).map(
			(column) => `value ->> '${column}' as "${column}"`,
		);
		return sql`(select ${sql.raw(members.join(", "))} from json_each(${json})) as ${sql.raw(name)}`;
	},
	isFoundBy: (key, keys) => sql`${key} in (${keys})`,
	// There is one writer, so no other transaction holds rows.
	skipLocked: sql``,
	includes: (column, text) => sql`instr(${column}, ${text}) > 0`,
	unindexed: (column) => sql`+${column}`,
};

/** `foldText` in SQL, by Unicode's rules: the database's locale may be Turkish, or know only ASCII. */
const folded = (column: AnyColumn) =>
	sql`translate(lower(normalize(${column}, NFC) collate "und-x-icu"), E'\\u03C2\\u0001', E'\\u03C3 ')`;

export const postgresDialect: Dialect = {
	name: "postgres",
	now: () =>
		sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
	contains: (column, text) => isLike(folded(column), text),
	search: ({ columns }, text) => anyLike(columns.map(folded), text),
	searchRows: () => null,
	listIncludes: (column, text) => sql`${column} @> to_jsonb(${text}::text)`,
	isAmong: (column, list) => sql`${column} = any(${list}::bigint[])`,
	toList: (numbers) => numbers,
	rowsOf(json, name, columns) {
		const types = Object.entries(columns).map(
			([column, type]) => `"${column}" ${type}`,
		);
		return sql`json_to_recordset(${json}::json) as ${sql.raw(`${name}(${types.join(", ")})`)}`;
	},
	// An array: for IN, the planner could choose to read the whole table.
	isFoundBy: (key, keys) => sql`${key} = any(array(${keys}))`,
	skipLocked: sql` for no key update skip locked`,
	includes: (column, text) => sql`strpos(${column}, ${text}) > 0`,
	unindexed: (column) => sql`${column}`,
};
