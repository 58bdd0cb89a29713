import { and, asc, eq, exists, lt, sql } from "drizzle-orm";
import { alias } from "../../db/alias.ts";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { Lane } from "../sql/lock-deliveries.ts";

const promoteHeads = defineQuery(
	"promote_heads",
	({ query, tables: { delivery }, dialect }) => {
		const earlier = alias(delivery, "earlier");
		const passedBefore = query
			.select({ one: sql`1` })
			.from(earlier)
			.where(
				and(
					eq(earlier.integrationId, delivery.integrationId),
					eq(earlier.lane, delivery.lane),
					// Spelled as in the index's own condition, without which SQLite does not use the index.
					sql`${earlier.state} in ('pending', 'delivering')`,
					eq(earlier.passed, true),
					lt(earlier.sequence, delivery.sequence),
				),
			);
		const head = alias(delivery, "head");
		const headOfLane = query
			.select({ id: head.id })
			.from(head)
			.where(
				and(
					sql`${head.integrationId} = lanes."integrationId" and ${head.lane} = lanes.lane`,
					sql`${head.state} in ('pending', 'delivering')`,
					eq(head.passed, false),
				),
			)
			.orderBy(asc(head.sequence))
			.limit(1);
		const lanes = dialect.rowsOf(sql.placeholder("lanes"), "lanes", {
			integrationId: "bigint",
			lane: "uuid",
		});
		const heads = query.select({ id: sql`${headOfLane}` }).from(lanes);
		return query
			.update(delivery)
			.set({
				ready: true,
				outOfOrder: sql`${delivery.outOfOrder} or ${exists(passedBefore)}`,
			})
			.where(
				and(
					dialect.isFoundBy(delivery.id, heads.getSQL()),
					eq(delivery.ready, false),
				),
			);
	},
);

/**
 * Makes the next delivery of each lane ready: the first one that the lane waits for. It is marked out of order if an
 * earlier one, for which the lane no longer waits, is still unfinished (docs/decisions.md#order).
 */
export async function promoteNext(
	db: Db,
	lanes: readonly Lane[],
): Promise<void> {
	if (lanes.length === 0) return;
	const list = lanes.map(({ integrationId, lane }) => ({
		integrationId,
		lane,
	}));
	await promoteHeads(db, { lanes: JSON.stringify(list) });
}
