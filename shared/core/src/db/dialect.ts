import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { anyLike, isLike, type SearchIndex } from "./search-text.ts";
import { findRows, fold, isFound } from "./sqlite/search.ts";

/** What the two engines spell differently. */
export interface Dialect {
	readonly name: "sqlite" | "postgres";
	/** The database's own clock, in milliseconds since the epoch: leases are measured by it. */
	now(): SQL<number>;
	/** Case-insensitive "contains", in which `%`, `_` and `\` stand for themselves. */
	contains(column: AnyColumn, text: string): SQL;
	/** Like `contains` over the columns of a table's search index; text under three characters must be at the beginning. */
	search(index: SearchIndex, text: string): SQL;
	/** What `search` finds as rows of the index itself, for a list by text alone; null where the table is as near. */
	searchRows(index: SearchIndex, text: string): SearchRows | null;
	/** A JSON list of texts that has this one among them. */
	listIncludes(column: AnyColumn, text: SQLWrapper): SQL;
	/** Whether a column has one of the numbers of a `toList`. */
	isAmong(column: AnyColumn, list: SQLWrapper): SQL;
	/** Numbers as the one value of a statement's parameter. */
	toList(numbers: readonly number[]): unknown;
	/** Whether a column has a text in it, letter by letter. */
	includes(column: AnyColumn, text: string): SQL;
	/** The column in a condition that the planner must not look up an index for: another condition finds fewer rows. */
	unindexed(column: AnyColumn): SQL;
}

/** Each row has its record's uuid and what tells its place in a list. */
export interface SearchRows {
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
	includes: (column, text) => sql`instr(${column}, ${text}) > 0`,
	unindexed: (column) => sql`+${column}`,
};

/** `foldText`, by Unicode's own rules: those of the database's locale may be Turkish, or know ASCII alone. */
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
	includes: (column, text) => sql`strpos(${column}, ${text}) > 0`,
	unindexed: (column) => sql`${column}`,
};
