import { setImmediate as nextTurn } from "node:timers/promises";
import { asc, gt, inArray, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { lockIntegrations } from "../sql/lock-integrations.ts";
import {
	removeDeliveries,
	type StartBatch,
	startBatch,
} from "./remove-deliveries.ts";

/** Deliveries read by one statement. */
const SLICE = 500;

const slice = defineQuery(
	"retention_slice",
	({ query, tables: { delivery } }) =>
		query
			.select({
				id: delivery.id,
				state: delivery.state,
				createdAt: delivery.createdAt,
				finishedAt: delivery.finishedAt,
			})
			.from(delivery)
			.where(gt(delivery.id, sql.placeholder("after")))
			.orderBy(asc(delivery.id))
			.limit(SLICE),
);

interface Ended {
	readonly state: string;
	readonly finishedAt: number | null;
}

/** Failed and waiting deliveries are kept until somebody purges them (docs/decisions.md#retention). */
const isExpired = ({ state, finishedAt }: Ended, cutoffMs: number) =>
	(state === "delivered" || state === "dropped") &&
	finishedAt !== null &&
	finishedAt < cutoffMs;

export interface RemoveOptions {
	readonly start?: StartBatch;
	/** Stops it between two batches, with the signal's reason. */
	readonly signal?: AbortSignal;
}

/**
 * Removes deliveries that were delivered or dropped before `cutoffMs`, in small batches. It reads in the order of the
 * row id, which is the order of creation, and stops at the first younger row: an index for this would cost every
 * delivery. Returns the number removed.
 */
export async function removeExpired(
	store: Store,
	cutoffMs: number,
	{ start = startBatch, signal }: RemoveOptions = {},
): Promise<number> {
	let removed = 0;
	for (let after = 0; ; ) {
		const rows = await slice(store.read, { after });
		const ids = rows
			.filter((row) => isExpired(row, cutoffMs))
			.map(({ id }) => id);
		removed += await removeAll(store, ids, cutoffMs, { start, signal });
		const last = rows.at(-1);
		if (!last || rows.length < SLICE || last.createdAt >= cutoffMs)
			return removed;
		after = last.id;
		await nextTurn();
		signal?.throwIfAborted();
	}
}

async function removeAll(
	store: Store,
	ids: readonly number[],
	cutoffMs: number,
	{ start, signal }: { start: StartBatch; signal: AbortSignal | undefined },
): Promise<number> {
	let removed = 0;
	for (let left = [...ids]; left.length > 0; ) {
		const batch = await store.write(async (db) => {
			await lockIntegrations(db, await ownersOf(db, left));
			const { delivery } = db.tables;
			const rows = await db.query
				.select()
				.from(delivery)
				.where(inArray(delivery.id, left))
				.orderBy(asc(delivery.id));
			// A delivery that was redelivered meanwhile is no longer finished.
			const expired = rows.filter((row) => isExpired(row, cutoffMs));
			const count = await removeDeliveries(db, expired, start());
			return { count, next: expired[count]?.id };
		});
		removed += batch.count;
		const { next } = batch;
		left = next === undefined ? [] : left.filter((id) => id >= next);
		await nextTurn();
		signal?.throwIfAborted();
	}
	return removed;
}

async function ownersOf(
	{ query, postgres, tables: { delivery } }: Db,
	ids: readonly number[],
): Promise<number[]> {
	if (!postgres) return [];
	const rows = await query
		.selectDistinct({ id: delivery.integrationId })
		.from(delivery)
		.where(inArray(delivery.id, [...ids]));
	return rows.map(({ id }) => id);
}
