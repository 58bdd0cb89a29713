import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { Context } from "../../execute/context.ts";
import type { WebhookEventRow } from "./webhook-event-view.ts";

interface Place {
	readonly ready: boolean;
	readonly passed: boolean;
	readonly outOfOrder: boolean;
}

const ALONE: Place = { ready: true, passed: false, outOfOrder: false };

/**
 * Where a finished delivery that is to go again stands in its lane. Once a later one has gone it can only come late: it
 * goes at once, holds nobody up, and is marked. Otherwise it takes its old place, before those that have not gone.
 */
export async function placeInLane(
	{ row, integration }: WebhookEventRow,
	context: Context,
): Promise<Place> {
	if (integration.ordering === "none") return ALONE;
	const { delivery } = context.db.tables;
	const inLane = and(
		eq(delivery.lane, row.lane),
		eq(delivery.integrationId, row.integrationId),
	);
	const has = (condition: SQL | undefined) =>
		hasDelivery(and(inLane, condition), context);
	// Claimed at least once: its worker may have been killed after sending it.
	const hasGone = gt(delivery.lease, 0);
	if (await has(and(gt(delivery.sequence, row.sequence), hasGone)))
		return { ready: true, passed: true, outOfOrder: true };
	const isEarlier = and(
		lt(delivery.sequence, row.sequence),
		sql`${delivery.state} in ('pending', 'delivering')`,
	);
	const isBlocked = await has(and(isEarlier, eq(delivery.passed, false)));
	const hasPassed = await has(and(isEarlier, eq(delivery.passed, true)));
	await context.db.query
		.update(delivery)
		.set({ ready: false })
		.where(
			and(
				inLane,
				gt(delivery.sequence, row.sequence),
				eq(delivery.state, "pending"),
				eq(delivery.ready, true),
			),
		);
	return {
		ready: !isBlocked,
		passed: false,
		outOfOrder: !isBlocked && hasPassed,
	};
}

async function hasDelivery(
	condition: SQL | undefined,
	{ db: { query, tables } }: Context,
): Promise<boolean> {
	const { delivery } = tables;
	const rows = await query
		.select({ id: delivery.id })
		.from(delivery)
		.where(condition)
		.limit(1);
	return rows.length > 0;
}
