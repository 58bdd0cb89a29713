import { setImmediate as nextTurn } from "node:timers/promises";
import { and, asc, eq, ne, or } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { type Selection, WINDOW, whenSelected } from "../replay/selection.ts";
import { lockIntegrations } from "../sql/lock-integrations.ts";
import {
	type Removable,
	removeDeliveries,
	type StartBatch,
	startBatch,
} from "./remove-deliveries.ts";

/** The most rows that one batch reads. */
const BATCH = 500;

export interface PurgeOptions {
	/** Stops the purge early; the result is then incomplete. */
	readonly isOver: () => boolean;
	/** Called in the transaction of each batch, with the sum so far. */
	readonly onBatch: (db: Db, purged: number) => Promise<void>;
	readonly startBatch?: StartBatch;
}

/**
 * Removes a selection in batches, each in its own transaction. Waiting deliveries are removed only while their
 * integration is paused (docs/decisions.md#purge). Returns the number removed and whether that was all.
 */
export async function purgeSelected(
	store: Store,
	selection: Selection,
	{ isOver, onBatch, ...options }: PurgeOptions,
): Promise<{ purged: number; complete: boolean }> {
	const start = options.startBatch ?? startBatch;
	let purged = 0;
	for (let after = 0; after < selection.endSequence; ) {
		if (isOver()) return { purged, complete: false };
		const to = Math.min(after + WINDOW, selection.endSequence);
		const seen = await selectRemovable(store.read, selection, after, to);
		if (seen.length === 0) after = to;
		else {
			const batch = await store.write(async (db) => {
				await lockIntegrations(db, [selection.integrationId]);
				// Looked up again under the lock: rows may have changed.
				const rows = await selectRemovable(db, selection, after, to);
				const removed = await removeDeliveries(db, rows, start());
				if (removed > 0) await onBatch(db, purged + removed);
				return { removed, isLast: removed === rows.length };
			});
			purged += batch.removed;
			if (batch.isLast && seen.length < BATCH) after = to;
		}
		await nextTurn();
	}
	return { purged, complete: true };
}

async function selectRemovable(
	{ query, tables }: Db,
	selection: Selection,
	after: number,
	to: number,
): Promise<Removable[]> {
	const { delivery, event, integration } = tables;
	return query
		.select({
			id: delivery.id,
			integrationId: delivery.integrationId,
			eventRowId: delivery.eventRowId,
			lane: delivery.lane,
			sequence: delivery.sequence,
			state: delivery.state,
		})
		.from(delivery)
		.innerJoin(event, eq(event.id, delivery.eventRowId))
		.innerJoin(integration, eq(integration.id, delivery.integrationId))
		.where(
			and(
				whenSelected(tables, selection, after, to),
				or(ne(delivery.state, "pending"), eq(integration.status, "paused")),
			),
		)
		.orderBy(asc(delivery.sequence))
		.limit(BATCH);
}
