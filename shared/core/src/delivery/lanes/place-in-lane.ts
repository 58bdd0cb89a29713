import { and, eq, gt, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { WebhookEventRow } from "../emit/webhook-event-view.ts";

/** A delivery's place in its lane: whether it may go, whether the lane waits for it, and how it is marked. */
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

/** Defines a query that asks whether the lane has a delivery that meets the condition. */
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
		// Claimed at least once: its worker may have been killed after it sent the delivery.
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
 * Decides the place of a finished delivery that is to be sent again. If a later one of its lane was sent, or may have
 * been and is purged, it can only arrive late: it goes at once, holds nothing up and is marked out of order. Otherwise
 * it takes its old place, before those that were not sent.
 */
export async function placeInLane(
	{ row, integration }: WebhookEventRow,
	db: Db,
): Promise<Place> {
	if (integration.ordering === "none") return ALONE;
	const { lane, integrationId, sequence } = row;
	const isFound = async (probe: typeof hasGoneLater) =>
		(await probe(db, { lane, integrationId, sequence })).length > 0;
	if (sequence < integration.purgedTo || (await isFound(hasGoneLater)))
		return { ready: true, passed: true, outOfOrder: true };
	const isBlocked = await isFound(hasWaitingBefore);
	const hasPassed = await isFound(hasPassedBefore);
	await holdLater(db, { lane, integrationId, sequence });
	return {
		ready: !isBlocked,
		passed: false,
		outOfOrder: !isBlocked && hasPassed,
	};
}
