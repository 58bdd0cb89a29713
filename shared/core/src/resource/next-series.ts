import { desc, type SQL } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Tables } from "../db/tables.ts";

type OrderedTable = "leadAttribution" | "block" | "room";

/** The `series` after the last of the rows; 0 if there are none. */
export async function nextSeries<Name extends OrderedTable>(
	{ db }: Context,
	name: Name,
	isOfThem: (table: Tables[Name]) => SQL,
): Promise<number> {
	// All of these tables have the column, which a type parameter cannot express.
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
