import { desc, type SQL } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Tables } from "../db/tables.ts";

type OrderedTable = "leadAttribution" | "block" | "room";

/** The place after the last of some rows; 0 where there is none. */
export async function nextSeries<Name extends OrderedTable>(
	{ db }: Context,
	name: Name,
	isOfThem: (table: Tables[Name]) => SQL,
): Promise<number> {
	// Every one of the tables has the column: a type parameter cannot say so.
	const table = db.tables[name] as Tables["room"];
	const { series } = table;
	const [last] = await db.query
		.select({ series })
		.from(table)
		.where(isOfThem(db.tables[name]))
		.orderBy(desc(series))
		.limit(1);
	return last ? last.series + 1 : 0;
}
