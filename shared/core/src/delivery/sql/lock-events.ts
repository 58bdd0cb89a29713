import type { Db } from "../../db/db.ts";

/**
 * Locks the rows of events before their deliveries are removed. Without it, two transactions that each remove one of an
 * event's last two deliveries would both leave the event, because neither sees the other's uncommitted change. FOR
 * UPDATE also waits for a delivery that is being added. All rows are locked at once and in the order of their keys, so
 * two transactions never wait for each other. SQLite has one writer and needs no lock.
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
