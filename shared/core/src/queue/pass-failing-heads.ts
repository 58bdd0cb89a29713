import { and, eq, sql } from "drizzle-orm";
import type { Db, Store } from "../db/db.ts";
import { lockIntegrations } from "../db/lock-integrations.ts";
import { defineQuery } from "../db/prepared.ts";
import { promoteNext } from "./promote-next.ts";

/** Lanes let through at once: one small transaction. */
const BATCH = 200;

// By integration, which SQLite does in a cross join alone: the failing heads of paused ones cost nothing.
const failingHeads = defineQuery(
	"failing_heads",
	({ query, tables: { delivery, integration } }) =>
		query
			.select({ id: delivery.id, integrationId: delivery.integrationId })
			.from(integration)
			.crossJoin(delivery)
			.where(
				and(
					eq(delivery.integrationId, integration.id),
					eq(integration.status, "active"),
					// Spelled as in the partial index, without which SQLite does not use it.
					sql`${delivery.passAt} is not null and ${delivery.state} = 'pending'`,
					sql`${delivery.passAt} <= ${sql.placeholder("nowMs")}`,
					// One that is due goes first: after a pause it has not failed all the while.
					sql`${delivery.dueAt} > ${sql.placeholder("nowMs")}`,
				),
			)
			.limit(BATCH),
);

const pass = defineQuery("pass_head", ({ query, tables: { delivery } }) =>
	query
		.update(delivery)
		.set({ passed: true, passAt: null })
		.where(
			and(
				eq(delivery.id, sql.placeholder("id")),
				eq(delivery.state, "pending"),
				sql`${delivery.dueAt} > ${sql.placeholder("nowMs")}`,
			),
		)
		.returning({
			integrationId: delivery.integrationId,
			lane: delivery.lane,
		}),
);

/**
 * Lets the successors of heads that have been failing for too long go, marked out of order (decisions §2: order).
 * Answers how many lanes were let through.
 */
export async function passFailingHeads(
	store: Store,
	nowMs: number,
): Promise<number> {
	let passed = 0;
	for (;;) {
		const heads = await failingHeads(store.read, { nowMs });
		if (heads.length === 0) return passed;
		const changed = await store.write((db) => passAll(db, heads, nowMs));
		passed += changed;
		if (changed === 0 || heads.length < BATCH) return passed;
	}
}

async function passAll(
	db: Db,
	heads: readonly { id: number; integrationId: number }[],
	nowMs: number,
): Promise<number> {
	await lockIntegrations(
		db,
		heads.map(({ integrationId }) => integrationId),
	);
	let passed = 0;
	for (const { id } of heads) {
		const [head] = await pass(db, { id, nowMs });
		if (!head) continue;
		passed++;
		await promoteNext(db, head);
	}
	return passed;
}
