import { and, eq, notExists, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import type { RowOf } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import { promoteNext } from "../lanes/promote-next.ts";
import type { Lane } from "../sql/lock-deliveries.ts";
import { lockEvents } from "../sql/lock-events.ts";

/** The columns that removing a delivery needs. */
export type Removable = Pick<
	RowOf<"delivery">,
	"id" | "integrationId" | "eventRowId" | "lane" | "sequence" | "state"
>;

const removeAttempts = defineQuery(
	"remove_attempts",
	({ query, tables: { attempt } }) =>
		query.delete(attempt).where(eq(attempt.deliveryId, sql.placeholder("id"))),
);

const removeDelivery = defineQuery(
	"remove_delivery",
	({ query, tables: { delivery } }) =>
		query.delete(delivery).where(eq(delivery.id, sql.placeholder("id"))),
);

const removeLoneEvent = defineQuery(
	"remove_lone_event",
	({ query, tables: { event, delivery } }) =>
		query.delete(event).where(
			and(
				eq(event.id, sql.placeholder("id")),
				notExists(
					query
						.select({ one: sql`1` })
						.from(delivery)
						.where(eq(delivery.eventRowId, sql.placeholder("id"))),
				),
			),
		),
);

const countPurged = defineQuery(
	"count_purged",
	({ query, tables: { integration } }) =>
		query
			.update(integration)
			.set({
				purged: sql`${integration.purged} + ${sql.placeholder("removed")}`,
				purgedTo: sql`case when ${integration.purgedTo} > ${sql.placeholder("upTo")} then ${integration.purgedTo} else ${sql.placeholder("upTo")} end`,
				settled: sql`${integration.settled} + ${sql.placeholder("unsettled")}`,
			})
			.where(eq(integration.id, sql.placeholder("id"))),
);

interface Counts {
	readonly removed: number;
	readonly unsettled: number;
	/** The highest sequence of them. */
	readonly upTo: number;
}
const NONE: Counts = { removed: 0, unsettled: 0, upTo: 0 };

/**
 * Removes deliveries with their attempts, and events without deliveries, in the caller's transaction. It counts them in
 * the integrations' counters, so the ledger still adds up. It stops when `isOver` returns true, but removes at least
 * one. Returns the number removed.
 */
export async function removeDeliveries(
	db: Db,
	rows: readonly Removable[],
	isOver: () => boolean,
): Promise<number> {
	const counts = new Map<number, Counts>();
	const lanes: Lane[] = [];
	let removed = 0;
	await lockEvents(
		db,
		rows.map(({ eventRowId }) => eventRowId),
	);
	for (const row of rows) {
		if (removed > 0 && isOver()) break;
		await removeAttempts(db, { id: row.id });
		await removeDelivery(db, { id: row.id });
		await removeLoneEvent(db, { id: row.eventRowId });
		const { integrationId, lane } = row;
		const isWaiting = row.state === "pending";
		if (isWaiting) lanes.push({ integrationId, lane });
		const count = counts.get(integrationId) ?? NONE;
		counts.set(integrationId, {
			upTo: Math.max(count.upTo, row.sequence),
			removed: count.removed + 1,
			unsettled: count.unsettled + (isWaiting ? 1 : 0),
		});
		removed++;
	}
	await promoteNext(db, lanes);
	for (const [id, count] of counts) await countPurged(db, { ...count, id });
	return removed;
}

/** How long a batch may take before it stops. This stays far below the 50 ms that another write may wait. */
const BATCH_MS = 15;

/** Starts a batch's clock; the returned function says whether its time is up. */
export type StartBatch = () => () => boolean;

export const startBatch: StartBatch = () => {
	const end = performance.now() + BATCH_MS;
	return () => performance.now() > end;
};
