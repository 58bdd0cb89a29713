import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import type { StoredIntegration } from "../../secrets/integration-secrets.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";

/** The columns that limit how fast an integration's deliveries start. */
type Rated = Pick<
	StoredIntegration,
	| "id"
	| "maxPerSecond"
	| "releaseUntil"
	| "releaseRate"
	| "bucketTokens"
	| "bucketAt"
>;

/** How many deliveries an integration may start now: any number, unless a rate limits it. */
export function tokensOf(row: Rated, nowMs: number): number {
	const rate = rateOf(row);
	return rate === null
		? Number.POSITIVE_INFINITY
		: Math.floor(refilled(row, rate, nowMs));
}

/** When the next delivery may start, for an integration out of tokens: later than `nowMs`. */
export function nextTokenAt(row: Rated, nowMs: number): number {
	const rate = rateOf(row);
	if (rate === null) return nowMs + 1;
	const missingMs = ((1 - refilled(row, rate, nowMs)) / rate) * 1000;
	// A bucket whose time is ahead of the clock fills from that time on.
	const fromMs = Math.max(nowMs, row.bucketAt ?? nowMs);
	return Math.max(nowMs + 1, Math.ceil(fromMs + missingMs));
}

/** Deliveries a second: the lower of `max_per_second` and, after a resume, the rate for held deliveries. */
function rateOf({
	maxPerSecond,
	releaseUntil,
	releaseRate,
}: Rated): number | null {
	const rates = [maxPerSecond, releaseUntil === null ? null : releaseRate];
	const bounds = rates.filter((rate) => rate !== null);
	return bounds.length > 0 ? Math.min(...bounds) : null;
}

/** The tokens in the bucket now. It holds one second's worth, at least one delivery, and starts full. */
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

/** Never moves back to a clock that is behind: the time between the clocks would fill the bucket twice. */
const toBucketAt = (row: Rated, nowMs: number) =>
	isAhead(row, nowMs) ? nowMs : Math.max(row.bucketAt ?? nowMs, nowMs);

/** Takes the tokens of started deliveries. Ends the release when no held delivery is left. */
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

/** Lets a bucket whose time is far ahead of the clock fill again from now on. */
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

/** Whether a held delivery still waits to start. One that has failed since and is planned for later does not count. */
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
				// Uses the index of unfinished deliveries. The index by sequence would step over everything released so far.
				sql`${delivery.state} in ('pending', 'delivering') and ${delivery.state} = 'pending'`,
				sql`+${delivery.sequence} <= ${sequence}`,
				sql`${delivery.dueAt} <= ${nowMs}`,
			),
		)
		.limit(1);
	return rows.length > 0;
}
