import { MOST_GIVEN_UP } from "@partnerwire/contract";
import { eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";

/**
 * How many deliveries of some integrations were given up. They are read off the index of those alone, and no more of
 * them than `MOST_GIVEN_UP` for each: an endpoint that was away for a month has any number.
 */
export async function countGivenUp(
	{ query, tables: { integration, delivery } }: Db,
	integrationIds: readonly number[],
): Promise<(integrationId: number) => number> {
	if (integrationIds.length === 0) return () => 0;
	// Spelled as in the partial index, without which SQLite does not use it.
	const isGivenUp = sql`${eq(delivery.integrationId, integration.id)} and ${delivery.state} in ('failed', 'dropped') and ${delivery.state} = 'failed'`;
	const rows = await query
		.select({
			id: integration.id,
			count: sql<number>`(select count(*) from (select 1 from ${delivery} where ${isGivenUp} limit ${sql.raw(String(MOST_GIVEN_UP))}) as found)`,
		})
		.from(integration)
		.where(inArray(integration.id, [...integrationIds]));
	const counts = new Map(rows.map(({ id, count }) => [id, Number(count)]));
	return (integrationId) => counts.get(integrationId) ?? 0;
}
