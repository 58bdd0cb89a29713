import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { foldText } from "../values/fold-case.ts";

/** The tables that have a search index. SQLite's part of searching is in `sqlite/search.ts`. */
export const SEARCHED = [
	"partner",
	"lead",
	"deal",
	"product",
	"contact",
] as const;

/** A table's search index, and the columns in it. */
export interface SearchIndex {
	readonly table: (typeof SEARCHED)[number];
	readonly uuid: AnyColumn;
	readonly columns: readonly AnyColumn[];
}

/** The length of a trigram: the index finds nothing for shorter text. */
export const TRIGRAM = 3;

export const lengthOf = (text: string): number => [...text].length;

/** Whether a folded member contains the text; `%`, `_` and `\\` match themselves. */
export const isLike = (folded: SQL, text: string): SQL =>
	like(folded, `%${toPattern(text)}`);

/** Whether one of the folded members contains the text, or begins with it if it is short. */
export function anyLike(folded: readonly SQL[], text: string): SQL {
	const isShort = lengthOf(foldText(text)) < TRIGRAM;
	const pattern = `${isShort ? "" : "%"}${toPattern(text)}`;
	const matches = folded.map((member) => like(member, pattern));
	return sql`(${sql.join(matches, sql` or `)})`;
}

/** The escape is no backslash: with `standard_conforming_strings` off, PostgreSQL reads one as the begin of an escape. */
const like = (folded: SQL, pattern: string) =>
	sql`${folded} like ${pattern} escape '|'`;

const toPattern = (text: string) =>
	`${foldText(text).replace(/[|%_]/g, "|$&")}%`;
