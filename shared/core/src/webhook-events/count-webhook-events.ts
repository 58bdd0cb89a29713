import type { WebhookEventStatus } from "@partnerwire/contract";
import { and, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";

/** The counters of the integrations whose deliveries are listed. */
export interface Counters {
	readonly id: number;
	/** Every number up to it was given to a delivery. */
	readonly sequence: number;
	readonly settled: number;
	readonly purged: number;
}

const sumOf = <Item>(
	items: readonly Item[],
	numberOf: (item: Item) => number,
) => items.reduce((sum, item) => sum + numberOf(item), 0);

/** How many deliveries are not finished: no row is counted. */
export const countWaiting = (owners: readonly Counters[]): number =>
	sumOf(owners, ({ sequence, settled }) => sequence - settled);

/**
 * How many deliveries integrations have, all of them or the delivered ones, of which there are most: by their counters, and by an
 * index of the few that failed. Null for what has to be counted.
 */
export async function countByCounters(
	db: Db,
	owners: readonly Counters[],
	status: WebhookEventStatus | undefined,
): Promise<number | null> {
	if (status !== undefined && status !== "delivered") return null;
	const stored = sumOf(owners, ({ sequence, purged }) => sequence - purged);
	if (status === undefined) return stored;
	const { delivery } = db.tables;
	const ended = await countDeliveries(
		db,
		and(
			inArray(
				delivery.integrationId,
				owners.map(({ id }) => id),
			),
			sql`${delivery.state} in ('failed', 'dropped')`,
		),
	);
	return stored - countWaiting(owners) - ended;
}

/** Counts rows; with their events where the condition is on those too. */
export async function countDeliveries(
	{ query, tables: { delivery, event } }: Db,
	where: SQL | undefined,
	{ joinsEvent = false } = {},
): Promise<number> {
	const counting = query.select({ total: count() }).from(delivery).$dynamic();
	if (joinsEvent) counting.innerJoin(event, eq(event.id, delivery.eventRowId));
	const [counted] = await counting.where(where);
	return counted?.total ?? 0;
}
