import { and, eq, exists, gt, lt, lte, sql } from "drizzle-orm";
import { alias } from "../../db/alias.ts";
import type { Db } from "../../db/db.ts";
import type { StoredIntegration } from "../../secrets/integration-secrets.ts";

/** Up to this many unfinished deliveries are changed in the request itself. `finishChanges` does the rest in parts. */
export const MOST_IN_REQUEST = 1000;

type Reworked = Pick<
	StoredIntegration,
	"id" | "ordering" | "sequence" | "settled"
>;

/** A part of an integration's deliveries: those after one sequence, up to another. */
export interface Range {
	readonly after: number;
	readonly to: number;
}

/**
 * Begins to give an integration's unfinished deliveries their new order. Returns the new `relaned_to`: null when all
 * are done, otherwise the sequence up to which they are. Until then, an ordered integration is not claimed from.
 */
export async function beginRework(
	db: Db,
	integration: Reworked,
): Promise<number | null> {
	const { id, ordering, sequence, settled } = integration;
	if (ordering === "record") await markUnderWay(db, id);
	if (sequence - settled > MOST_IN_REQUEST) return 0;
	await reworkLanes(db, integration);
	return null;
}

/**
 * Gives a range of deliveries, or all, the order of the integration. Without an order every waiting delivery is ready;
 * with one, only the first of each lane.
 */
export async function reworkLanes(
	db: Db,
	{ id, ordering }: Pick<Reworked, "id" | "ordering">,
	range?: Range,
): Promise<void> {
	const { delivery } = db.tables;
	const within = range && [
		gt(delivery.sequence, range.after),
		lte(delivery.sequence, range.to),
		// By sequence: the index of unfinished deliveries would step over all of them for each part.
		sql`${db.dialect.unindexed(delivery.state)} in ('pending', 'delivering')`,
	];
	const found = within ?? [sql`${delivery.state} in ('pending', 'delivering')`];
	const ofIntegration = eq(delivery.integrationId, id);
	if (ordering === "none") {
		await db.query
			.update(delivery)
			.set({ ready: true })
			.where(and(ofIntegration, ...found, eq(delivery.ready, false)));
		return;
	}
	await db.query
		.update(delivery)
		.set({ ready: false })
		.where(
			and(
				ofIntegration,
				...found,
				sql`${db.dialect.unindexed(delivery.state)} = 'pending'`,
				eq(delivery.ready, true),
				isBehind(db, id),
			),
		);
}

/** Marks deliveries that are under way although they are not the first of their lane. */
async function markUnderWay(db: Db, integrationId: number): Promise<void> {
	const { delivery } = db.tables;
	await db.query
		.update(delivery)
		.set({ passed: true, outOfOrder: true })
		.where(
			and(
				eq(delivery.integrationId, integrationId),
				sql`${delivery.state} = 'delivering'`,
				isBehind(db, integrationId),
			),
		);
}

function isBehind({ query, tables: { delivery } }: Db, integrationId: number) {
	const earlier = alias(delivery, "earlier");
	return exists(
		query
			.select({ one: sql`1` })
			.from(earlier)
			.where(
				and(
					eq(earlier.integrationId, integrationId),
					eq(earlier.lane, delivery.lane),
					eq(earlier.passed, false),
					sql`${earlier.state} in ('pending', 'delivering')`,
					lt(earlier.sequence, delivery.sequence),
				),
			),
	);
}
