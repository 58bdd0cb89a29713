import { eq, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";

const HOUR_MS = 3600 * 1000;

/** What a batch of results adds to an integration's counters. */
export interface Tally {
	/** Attempts that delivered, and attempts that did not. */
	delivered: number;
	failed: number;
	/** Deliveries that will not be attempted again. */
	finished: number;
	lastError: string | null;
}

const addHour = defineQuery(
	"add_to_hour",
	({ query, tables: { deliveryRollup: rollup } }) =>
		query
			.insert(rollup)
			.values({
				integrationId: sql.placeholder("integrationId"),
				hourAt: sql.placeholder("hourAt"),
				delivered: sql.placeholder("delivered"),
				failed: sql.placeholder("failed"),
			} as never)
			.onConflictDoUpdate({
				target: [rollup.integrationId, rollup.hourAt],
				set: {
					delivered: sql`${rollup.delivered} + excluded.delivered`,
					failed: sql`${rollup.failed} + excluded.failed`,
				},
			}),
);

/** Adds a tally to the hour's rollup and to the integration's own counters: health reads these and counts no rows. */
export async function addToRollup(
	db: Db,
	integrationId: number,
	tally: Tally,
	nowMs: number,
): Promise<void> {
	const { delivered, failed } = tally;
	await addHour(db, {
		integrationId,
		hourAt: nowMs - (nowMs % HOUR_MS),
		delivered,
		failed,
	});
	const { integration } = db.tables;
	await db.query
		.update(integration)
		.set({
			settled: sql`${integration.settled} + ${tally.finished}`,
			...(delivered > 0 && { lastSuccessAt: nowMs }),
			...(failed > 0 && { lastFailureAt: nowMs, lastError: tally.lastError }),
		})
		.where(eq(integration.id, integrationId));
}
