import type { WebhookEventStatus } from "@partnerwire/contract";
import { and, count, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";

/** The counters of an integration whose deliveries are listed. */
export interface Counters {
	readonly id: number;
	/** The newest sequence number: each number up to it belongs or belonged to a delivery. */
	readonly sequence: number;
	readonly settled: number;
	readonly purged: number;
}

const sumOf = <Item>(
	items: readonly Item[],
	numberOf: (item: Item) => number,
) => items.reduce((sum, item) => sum + numberOf(item), 0);

/** The number of unfinished deliveries, without counting rows. */
export const countWaiting = (owners: readonly Counters[]): number =>
	sumOf(owners, ({ sequence, settled }) => sequence - settled);

/**
 * Counts all deliveries of integrations, or the delivered ones, which are the most. It uses the counters, and an index
 * of the few that failed. Null if rows must be counted.
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

/** Counts rows, joined with their events if the condition needs them. */
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
