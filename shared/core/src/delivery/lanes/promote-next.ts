import { and, asc, eq, exists, lt, sql } from "drizzle-orm";
import { alias } from "../../db/alias.ts";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";

/**
 * Makes the next delivery of a lane ready: the first one that the lane waits for. It is marked out of order if an
 * earlier one, for which the lane no longer waits, is still unfinished (docs/decisions.md#order).
 */
export const promoteNext = defineQuery("promote_next", buildPromotion);

function buildPromotion({ query, tables: { delivery } }: Db) {
	const earlier = alias(delivery, "earlier");
	const passedBefore = query
		.select({ one: sql`1` })
		.from(earlier)
		.where(
			and(
				eq(earlier.integrationId, sql.placeholder("integrationId")),
				eq(earlier.lane, sql.placeholder("lane")),
				// Spelled as in the index's own condition, without which SQLite does not use the index.
				sql`${earlier.state} in ('pending', 'delivering')`,
				eq(earlier.passed, true),
				lt(earlier.sequence, delivery.sequence),
			),
		);
	const head = query
		.select({ id: delivery.id })
		.from(delivery)
		.where(
			and(
				eq(delivery.integrationId, sql.placeholder("integrationId")),
				eq(delivery.lane, sql.placeholder("lane")),
				sql`${delivery.state} in ('pending', 'delivering')`,
				eq(delivery.passed, false),
			),
		)
		.orderBy(asc(delivery.sequence))
		.limit(1);
	return (
		query
			.update(delivery)
			.set({
				ready: true,
				outOfOrder: sql`${delivery.outOfOrder} or ${exists(passedBefore)}`,
			})
			// An equality: IN with a list makes a temporary table, at four times the cost.
			.where(and(sql`${delivery.id} = ${head}`, eq(delivery.ready, false)))
	);
}
