import { setImmediate as nextTurn } from "node:timers/promises";
import { eq, isNotNull, or, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { reworkLanes } from "../lanes/rework-lanes.ts";
import { lockIntegrations } from "../sql/lock-integrations.ts";
import { dropUnfinished } from "./drop-deleted.ts";

/** Deliveries changed in one transaction: other writes wait no longer than this takes. */
const BATCH = 250;

/**
 * Integrations whose change is not complete: deleted, or with a new order
 * (docs/decisions.md#changing-ordering-with-many-waiting).
 */
const unfinished = defineQuery(
	"unfinished_changes",
	({ query, tables: { integration } }) =>
		query
			.select({ id: integration.id })
			.from(integration)
			.where(
				or(
					isNotNull(integration.relanedTo),
					sql`${integration.deletedAt} is not null and ${integration.settled} < ${integration.sequence}`,
				),
			),
);

/**
 * Completes the deletion of integrations and changes of their order, when there are more deliveries than one request
 * may change. Each small transaction stores its progress, so any process can continue after a killed one. The signal
 * stops it between two transactions, with its reason.
 */
export async function finishChanges(
	store: Store,
	nowMs: number,
	signal?: AbortSignal,
): Promise<void> {
	for (const { id } of await unfinished(store.readUnsynced, {})) {
		while (await store.write((db) => advance(db, id, nowMs))) {
			await nextTurn();
			signal?.throwIfAborted();
		}
		store.wake();
	}
}

/** Returns whether there is more to do. */
async function advance(db: Db, id: number, nowMs: number): Promise<boolean> {
	await lockIntegrations(db, [id]);
	const { integration } = db.tables;
	const write = (columns: Partial<typeof integration.$inferInsert>) =>
		db.query.update(integration).set(columns).where(eq(integration.id, id));
	const [row] = await db.query
		.select()
		.from(integration)
		.where(eq(integration.id, id));
	if (!row) return false;
	if (row.deletedAt !== null) {
		const dropped = await dropUnfinished(db, id, { most: BATCH, nowMs });
		if (dropped === BATCH) return true;
		await write({ settled: row.sequence, relanedTo: null });
		return false;
	}
	if (row.relanedTo === null) return false;
	const to = Math.min(row.relanedTo + BATCH, row.sequence);
	await reworkLanes(db, row, { after: row.relanedTo, to });
	const isOver = to >= row.sequence;
	await write({ relanedTo: isOver ? null : to });
	return !isOver;
}
