import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { WebhookEventRow } from "../emit/webhook-event-view.ts";

export interface Place {
	readonly ready: boolean;
	readonly passed: boolean;
	readonly outOfOrder: boolean;
}

const ALONE: Place = { ready: true, passed: false, outOfOrder: false };

const ofLane = ({ delivery }: Db["tables"]) =>
	and(
		eq(delivery.lane, sql.placeholder("lane")),
		eq(delivery.integrationId, sql.placeholder("integrationId")),
	);

/** Whether the lane has a delivery that the condition is true of. */
const defineProbe = (
	name: string,
	toCondition: (tables: Db["tables"]) => SQL | undefined,
) =>
	defineQuery(name, ({ query, tables }) =>
		query
			.select({ one: sql`1` })
			.from(tables.delivery)
			.where(and(ofLane(tables), toCondition(tables)))
			.limit(1),
	);

const hasGoneLater = defineProbe("has_gone_later", ({ delivery }) =>
	and(
		gt(delivery.sequence, sql.placeholder("sequence")),
		// Claimed at least once: its worker may have been killed after sending it.
		gt(delivery.lease, 0),
	),
);
const defineEarlier = (passed: boolean) =>
	defineProbe(`has_earlier_${passed}`, ({ delivery }) =>
		and(
			lt(delivery.sequence, sql.placeholder("sequence")),
			sql`${delivery.state} in ('pending', 'delivering')`,
			eq(delivery.passed, passed),
		),
	);
const hasWaitingBefore = defineEarlier(false);
const hasPassedBefore = defineEarlier(true);

const holdLater = defineQuery("hold_later", ({ query, tables }) =>
	query
		.update(tables.delivery)
		.set({ ready: false })
		.where(
			and(
				ofLane(tables),
				gt(tables.delivery.sequence, sql.placeholder("sequence")),
				eq(tables.delivery.state, "pending"),
				eq(tables.delivery.ready, true),
			),
		),
);

/**
 * Where a finished delivery that is to go again stands in its lane. Once a later one has gone, or may have and is
 * removed, it can only come late: it goes at once, holds nobody up, and is marked. Otherwise it takes its old place, before those that have not gone.
 */
export async function placeInLane(
	{ row, integration }: WebhookEventRow,
	db: Db,
): Promise<Place> {
	if (integration.ordering === "none") return ALONE;
	const { lane, integrationId, sequence } = row;
	const has = async (probe: typeof hasGoneLater) =>
		(await probe(db, { lane, integrationId, sequence })).length > 0;
	if (sequence < integration.purgedTo || (await has(hasGoneLater)))
		return { ready: true, passed: true, outOfOrder: true };
	const isBlocked = await has(hasWaitingBefore);
	const hasPassed = await has(hasPassedBefore);
	await holdLater(db, { lane, integrationId, sequence });
	return {
		ready: !isBlocked,
		passed: false,
		outOfOrder: !isBlocked && hasPassed,
	};
}
