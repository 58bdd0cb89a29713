import { eq, type SQL } from "drizzle-orm";
import type { RowOf } from "../../db/insert-row.ts";
import type { Context } from "../../execute/context.ts";
import { whenArchived, whenContains, whenEqual } from "../conditions.ts";
import { toIsoOrNull, toTimes } from "../times.ts";

type ContentTable = "resource" | "certification" | "room";

/** What resources, certifications and rooms show alike. */
export const toContent = (row: RowOf<ContentTable>) => ({
	uuid: row.uuid,
	label: row.label,
	live: row.live,
	archived_at: toIsoOrNull(row.archivedAt),
	...toTimes(row),
});

/** The conditions of their lists that are alike. */
export function contentConditions(
	{ db, caller }: Context,
	name: ContentTable,
	query: { search?: string | undefined; live?: boolean | undefined } & {
		archived: boolean;
	},
): (SQL | undefined)[] {
	const table = db.tables[name];
	return [
		eq(table.companyUuid, caller.companyUuid),
		whenArchived(table.archivedAt, query.archived),
		whenEqual(table.live, query.live),
		whenContains(db, [table.label], query.search),
	];
}
