import type { Db } from "../../db/db.ts";

/**
 * Whoever removes deliveries holds their events' rows: two that each remove one of the last two would both leave the event,
 * since neither sees what the other has not committed yet. FOR UPDATE, which waits for a delivery being added to one too;
 * in the order of their keys, all at once, so that two never wait for each other. SQLite has one writer.
 */
export async function lockEvents(
	{ postgres }: Db,
	ids: readonly number[],
): Promise<void> {
	await postgres?.(
		"lock_events",
		"select id from event where id = any($1::bigint[]) order by id for update",
		[[...new Set(ids)]],
	);
}
