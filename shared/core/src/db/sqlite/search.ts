import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { foldText } from "../../values/fold-case.ts";
import {
	anyLike,
	lengthOf,
	SEARCHED,
	type SearchIndex,
	TRIGRAM,
} from "../search-text.ts";

/** The table that maps the row numbers of a search index to records (migration 0016-found-rows). */
const createRows = (searched: SearchIndex["table"]) =>
	sqliteTable(`${searched}_search_row`, {
		id: integer("id").primaryKey(),
		uuid: text("record_uuid").notNull(),
		companyUuid: text("company_uuid"),
		createdAt: integer("created_at"),
		archivedAt: integer("archived_at"),
	});

const ROWS = Object.fromEntries(
	SEARCHED.map((searched) => [searched, createRows(searched)]),
) as Record<SearchIndex["table"], ReturnType<typeof createRows>>;

/** Finds the records with the text in one of their members, of all companies, as rows of the search index. */
export function findRows(index: SearchIndex, text: string) {
	const table = ROWS[index.table];
	const record = sql.raw(index.table);
	const trigrams = sql.raw(`${index.table}_search`);
	// The newest records are not in the index yet, so their members are compared.
	const where = sql`${table.id} in (
		select rowid from ${trigrams} where ${trigrams} match ${toMatch(text)}
		union all select newest.id from ${table} newest
			where newest.id > (select indexed_to from search_state where kind = ${index.table})
			and exists (select 1 from ${record} where ${index.uuid} = newest.record_uuid and ${anyLike(index.columns.map(fold), text)})
	)`;
	return { table, where };
}

/** The condition that a record is among those that `findRows` finds. */
export function isFound(index: SearchIndex, text: string): SQL {
	const { table, where } = findRows(index, text);
	return sql`${index.uuid} in (select ${table.uuid} from ${table} where ${where})`;
}

export const fold = (column: AnyColumn) => sql`fold(${column})`;

/** The search phrase. Short text is found by the two marks that precede each member in the index. */
function toMatch(text: string): string {
	const folded = foldText(text);
	const marks = "\u0001".repeat(Math.max(0, TRIGRAM - lengthOf(folded)));
	return `"${marks}${folded.replaceAll('"', '""')}"`;
}
