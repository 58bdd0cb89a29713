import { insertRow } from "../../src/db/insert-row.ts";
import type { Db } from "../../src/index.ts";

/** A write of one row of the simplest table. */
export const put =
	(name: string, value = "x") =>
	(db: Db) =>
		insertRow(db, "setting", { name, value });

/** The names of the rows that `put` has written. */
export async function namesIn({ query, tables }: Db): Promise<string[]> {
	const rows = await query.select().from(tables.setting);
	return rows.map(({ name }) => name);
}
