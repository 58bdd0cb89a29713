import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import type { StoredIntegration } from "../../secrets/integration-secrets.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";

/** What bounds how fast an integration's deliveries start. */
type Rated = Pick<
	StoredIntegration,
	| "id"
	| "maxPerSecond"
	| "releaseUntil"
	| "releaseRate"
	| "bucketTokens"
	| "bucketAt"
>;

/** How many deliveries an integration may start now: all, unless a rate bounds it. */
export function tokensOf(row: Rated, nowMs: number): number {
	const rate = rateOf(row);
	return rate === null
		? Number.POSITIVE_INFINITY
		: Math.floor(refilled(row, rate, nowMs));
}

/** When an integration that may start none now may start the next one: later than `nowMs`. */
export function nextTokenAt(row: Rated, nowMs: number): number {
	const rate = rateOf(row);
	if (rate === null) return nowMs + 1;
	const missingMs = ((1 - refilled(row, rate, nowMs)) / rate) * 1000;
	// A bucket that is ahead of the clock fills from there on.
	const fromMs = Math.max(nowMs, row.bucketAt ?? nowMs);
	return Math.max(nowMs + 1, Math.ceil(fromMs + missingMs));
}

/** Deliveries a second: its own `max_per_second`, and after a resume the rate at which what was held goes out. */
function rateOf({
	maxPerSecond,
	releaseUntil,
	releaseRate,
}: Rated): number | null {
	const rates = [maxPerSecond, releaseUntil === null ? null : releaseRate];
	const bounds = rates.filter((rate) => rate !== null);
	return bounds.length > 0 ? Math.min(...bounds) : null;
}

/** The token bucket: it holds one second's worth, at least one delivery, and starts full. */
function refilled(
	{ bucketTokens, bucketAt }: Rated,
	rate: number,
	nowMs: number,
): number {
	const size = Math.max(1, rate);
	if (bucketTokens === null || bucketAt === null) return size;
	const elapsedS = Math.max(0, nowMs - bucketAt) / 1000;
	return Math.min(size, bucketTokens + elapsedS * rate);
}

const isAhead = ({ bucketAt }: Rated, nowMs: number) =>
	bucketAt !== null && bucketAt > nowMs + CLOCK_SKEW_MS;

/** Never back to a clock that is behind another one: the time between them would fill the bucket a second time. */
const toBucketAt = (row: Rated, nowMs: number) =>
	isAhead(row, nowMs) ? nowMs : Math.max(row.bucketAt ?? nowMs, nowMs);

/** Takes the tokens of started deliveries, and ends the release when nothing that was held is left. */
export async function spendTokens(
	db: Db,
	row: Rated,
	spent: number,
	nowMs: number,
): Promise<void> {
	const rate = rateOf(row);
	if (rate === null) return;
	const { integration } = db.tables;
	const isReleased =
		row.releaseUntil !== null &&
		!(await hasHeldUpTo(db, row, row.releaseUntil, nowMs));
	await db.query
		.update(integration)
		.set({
			bucketTokens: refilled(row, rate, nowMs) - spent,
			bucketAt: toBucketAt(row, nowMs),
			...(isReleased && { releaseUntil: null, releaseRate: null }),
		})
		.where(eq(integration.id, row.id));
}

/** Lets a bucket that is ahead of the clock fill again from now on. */
export async function resetTokenBucket(
	db: Db,
	row: Rated,
	nowMs: number,
): Promise<void> {
	if (!isAhead(row, nowMs)) return;
	const { integration } = db.tables;
	await db.query
		.update(integration)
		.set({ bucketAt: nowMs })
		.where(eq(integration.id, row.id));
}

/** Whether anything that was held is still to go; what has failed since, and is planned for later, is not. */
async function hasHeldUpTo(
	{ query, tables: { delivery } }: Db,
	{ id: integrationId }: Rated,
	sequence: number,
	nowMs: number,
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
				sql`${delivery.dueAt} <= ${nowMs}`,
			),
		)
		.limit(1);
	return rows.length > 0;
}
