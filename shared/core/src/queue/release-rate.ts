import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { StoredIntegration } from "../secrets/integration-secrets.ts";

/** How many deliveries an integration may start now: all, unless a rate bounds it. */
export function tokensOf(row: StoredIntegration, nowMs: number): number {
	const rate = rateOf(row);
	return rate === null
		? Number.POSITIVE_INFINITY
		: Math.floor(refilled(row, rate, nowMs));
}

/** Deliveries a second: its own `max_per_second`, and after a resume the rate at which what was held goes out. */
function rateOf({
	maxPerSecond,
	releaseUntil,
	releaseRate,
}: StoredIntegration): number | null {
	const rates = [maxPerSecond, releaseUntil === null ? null : releaseRate];
	const bounds = rates.filter((rate) => rate !== null);
	return bounds.length > 0 ? Math.min(...bounds) : null;
}

/** The token bucket: it holds one second's worth, at least one delivery, and starts full. */
function refilled(
	{ bucketTokens, bucketAt }: StoredIntegration,
	rate: number,
	nowMs: number,
): number {
	const size = Math.max(1, rate);
	if (bucketTokens === null || bucketAt === null) return size;
	const elapsedS = Math.max(0, nowMs - bucketAt) / 1000;
	return Math.min(size, bucketTokens + elapsedS * rate);
}

/** Takes the tokens of started deliveries, and ends the release when nothing that was held is left. */
export async function spendTokens(
	db: Db,
	row: StoredIntegration,
	spent: number,
	nowMs: number,
): Promise<void> {
	const rate = rateOf(row);
	if (rate === null) return;
	const { integration } = db.tables;
	const isReleased =
		row.releaseUntil !== null &&
		!(await hasPendingUpTo(db, row.id, row.releaseUntil));
	await db.query
		.update(integration)
		.set({
			bucketTokens: refilled(row, rate, nowMs) - spent,
			bucketAt: nowMs,
			...(isReleased && { releaseUntil: null, releaseRate: null }),
		})
		.where(eq(integration.id, row.id));
}

async function hasPendingUpTo(
	{ query, tables: { delivery } }: Db,
	integrationId: number,
	sequence: number,
) {
	const rows = await query
		.select({ id: delivery.id })
		.from(delivery)
		.where(
			and(
				eq(delivery.integrationId, integrationId),
				// By the index of unfinished deliveries: the one by sequence would pass over all that was released so far.
				sql`${delivery.state} in ('pending', 'delivering') and ${delivery.state} = 'pending'`,
				sql`+${delivery.sequence} <= ${sequence}`,
			),
		)
		.limit(1);
	return rows.length > 0;
}
