import { MOST_GIVEN_UP } from "@partnerwire/contract";
import { eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";

/**
 * Counts the deliveries of integrations that were given up, at most `MOST_GIVEN_UP` for each. It reads only their
 * index. The limit is needed because an endpoint that was away for a month can have any number.
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
