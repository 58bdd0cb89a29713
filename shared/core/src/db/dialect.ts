import { type AnyColumn, type SQL, sql } from "drizzle-orm";

/** What the two engines spell differently. */
export interface Dialect {
	readonly name: "sqlite" | "postgres";
	/** The database's own clock, in milliseconds since the epoch: leases are measured by it. */
	now(): SQL<number>;
	/** Case-insensitive "contains", in which `%`, `_` and `\` stand for themselves. */
	contains(column: AnyColumn, text: string): SQL;
}

const escapeLike = (text: string) =>
	text.replace(/[\\%_]/g, (character) => `\\${character}`);

export const sqliteDialect: Dialect = {
	name: "sqlite",
	now: () => sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
	contains: (column, text) =>
		sql`fold(${column}) like ${`%${escapeLike(foldCase(text))}%`} escape '\\'`,
};

export const postgresDialect: Dialect = {
	name: "postgres",
	now: () =>
		sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
	contains: (column, text) =>
		sql`lower(normalize(${column}, NFC)) like ${`%${escapeLike(foldCase(text))}%`} escape '\\'`,
};

/** Folds case by Unicode over NFC (decisions §1); SQLite gets it as the function `fold`. */
export function foldCase(text: string): string {
	return text.normalize("NFC").toLowerCase();
}
