import { type AnyColumn, type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** What the two engines spell differently. */
export interface Dialect {
	readonly name: "sqlite" | "postgres";
	/** The database's own clock, in milliseconds since the epoch: leases are measured by it. */
	now(): SQL<number>;
	/** Case-insensitive "contains", in which `%`, `_` and `\` stand for themselves. */
	contains(column: AnyColumn, text: string): SQL;
	/** Like `contains` over the columns of a table's search index; text under three characters must be at the beginning. */
	search(index: SearchIndex, text: string): SQL;
	/** A JSON list of texts that has this one among them. */
	listIncludes(column: AnyColumn, text: SQLWrapper): SQL;
	/** Whether a column has a text in it, letter by letter. */
	includes(column: AnyColumn, text: string): SQL;
	/** The column in a condition that the planner must not look up an index for: another condition finds fewer rows. */
	unindexed(column: AnyColumn): SQL;
}

export const SEARCHED = [
	"partner",
	"lead",
	"deal",
	"product",
	"contact",
] as const;

/** A table that the migration list-cost gave a search index, and its columns in it. */
export interface SearchIndex {
	readonly table: (typeof SEARCHED)[number];
	readonly uuid: AnyColumn;
	readonly columns: readonly AnyColumn[];
}

/** Shorter text has no trigram. */
const TRIGRAM = 3;

const lengthOf = (text: string) => [...text].length;

/** The pattern of text that is contained, or, where it is short, begins. */
const toPattern = (text: string) => {
	const start = lengthOf(foldCase(text)) < TRIGRAM ? "" : "%";
	return `${start}${escapeLike(foldCase(text))}%`;
};

const anyOf = (conditions: SQL[]) => sql`(${sql.join(conditions, sql` or `)})`;

const escapeLike = (text: string) =>
	text.replace(/[\\%_]/g, (character) => `\\${character}`);

export const sqliteDialect: Dialect = {
	name: "sqlite",
	now: () => sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
	contains: (column, text) =>
		sql`fold(${column}) like ${`%${escapeLike(foldCase(text))}%`} escape '\\'`,
	search: ({ table, uuid, columns }, text) => {
		const rows = sql.raw(`${table}_search_row`);
		const index = sql.raw(`${table}_search`);
		const matches = columns.map(
			(column) => sql`fold(${column}) like ${toPattern(text)} escape '\\'`,
		);
		// The index holds other companies' records too, and not yet the newest: the columns have the last word.
		return sql`(${uuid} in (
			select record_uuid from ${rows} where id in (select rowid from ${index} where ${index} match ${toMatch(text)})
			union all select record_uuid from ${rows} where id > (select indexed_to from search_state where kind = ${table})
		) and ${anyOf(matches)})`;
	},
	listIncludes: (column, text) =>
		sql`instr(${column}, '"' || ${text} || '"') > 0`,
	includes: (column, text) => sql`instr(${column}, ${text}) > 0`,
	unindexed: (column) => sql`+${column}`,
};

/** A phrase of trigrams; short text begins at the two marks that stand before each member in the index. */
function toMatch(text: string): string {
	const folded = foldCase(text);
	const marks = "\u0001".repeat(Math.max(0, TRIGRAM - lengthOf(folded)));
	return `"${marks}${folded.replaceAll('"', '""')}"`;
}

export const postgresDialect: Dialect = {
	name: "postgres",
	now: () =>
		sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
	contains: (column, text) =>
		sql`lower(normalize(${column}, NFC)) like ${`%${escapeLike(foldCase(text))}%`} escape '\\'`,
	search: ({ columns }, text) =>
		anyOf(
			columns.map(
				(column) =>
					sql`lower(normalize(${column}, NFC)) like ${toPattern(text)} escape '\\'`,
			),
		),
	listIncludes: (column, text) => sql`${column} @> to_jsonb(${text}::text)`,
	includes: (column, text) => sql`strpos(${column}, ${text}) > 0`,
	unindexed: (column) => sql`${column}`,
};

/** Folds case by Unicode over NFC (decisions §1); SQLite gets it as the function `fold`. */
export function foldCase(text: string): string {
	return text.normalize("NFC").toLowerCase();
}
