import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { StoredIntegration } from "../secrets/integration-secrets.ts";

/** How many deliveries an integration may start now: all, unless it was resumed and still releases what it held. */
export function tokensOf(row: StoredIntegration, nowMs: number): number {
	return row.releaseUntil === null
		? Number.POSITIVE_INFINITY
		: Math.floor(refilled(row, nowMs));
}

/** The token bucket of a release: it holds one second's worth. */
function refilled(
	{ releaseRate, bucketTokens, bucketAt }: StoredIntegration,
	nowMs: number,
): number {
	const rate = releaseRate ?? 0;
	const elapsedS = Math.max(0, nowMs - (bucketAt ?? nowMs)) / 1000;
	return Math.min(rate, (bucketTokens ?? 0) + elapsedS * rate);
}

/** Takes the tokens of started deliveries, and ends the release when nothing that was held is left. */
export async function spendTokens(
	db: Db,
	row: StoredIntegration,
	spent: number,
	nowMs: number,
): Promise<void> {
	if (row.releaseUntil === null) return;
	const { integration } = db.tables;
	const isOver = !(await hasPendingUpTo(db, row.id, row.releaseUntil));
	await db.query
		.update(integration)
		.set(
			isOver
				? {
						releaseUntil: null,
						releaseRate: null,
						bucketTokens: null,
						bucketAt: null,
					}
				: { bucketTokens: refilled(row, nowMs) - spent, bucketAt: nowMs },
		)
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
