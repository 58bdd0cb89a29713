import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db, PostgresStatements, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import {
	keyOfLane,
	type Lane,
	lockFreeDeliveries,
	lockNext,
} from "../sql/lock-deliveries.ts";
import { lockFreeIntegrations } from "../sql/lock-integrations.ts";
import { promoteNext } from "./promote-next.ts";

/** Lanes released in one transaction: it stays small. */
const BATCH = 200;

// By integration, so that the failing heads of paused integrations cost nothing. SQLite keeps this join order only for
// a cross join.
const failingHeads = defineQuery(
	"failing_heads",
	({ query, tables: { delivery, integration } }) =>
		query
			.select({
				id: delivery.id,
				integrationId: delivery.integrationId,
				lane: delivery.lane,
			})
			.from(integration)
			.crossJoin(delivery)
			.where(
				and(
					eq(delivery.integrationId, integration.id),
					eq(integration.status, "active"),
					isNull(integration.deletedAt),
					// Spelled as in the partial index, without which SQLite does not use it.
					sql`${delivery.passAt} is not null and ${delivery.state} = 'pending'`,
					sql`${delivery.passAt} <= ${sql.placeholder("nowMs")}`,
					// A change of the ordering can put a failing delivery behind another one: its lane waits for that one.
					eq(delivery.ready, true),
					// A head that is due is attempted first: after a pause, it has not been failing all the time.
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
				eq(delivery.ready, true),
				sql`${delivery.dueAt} > ${sql.placeholder("nowMs")}`,
			),
		)
		.returning({
			integrationId: delivery.integrationId,
			lane: delivery.lane,
		}),
);

/**
 * Releases the lanes of heads that have been failing for too long: their successors go, marked out of order
 * (docs/decisions.md#order). Returns the number of lanes released.
 */
export async function passFailingHeads(
	store: Store,
	nowMs: number,
): Promise<number> {
	let passed = 0;
	for (;;) {
		const heads = await failingHeads(store.readUnsynced, { nowMs });
		if (heads.length === 0) return passed;
		const changed = await store.write((db) => passAll(db, heads, nowMs));
		passed += changed;
		if (changed === 0 || heads.length < BATCH) return passed;
	}
}

type Head = Lane & { readonly id: number };

async function passAll(
	db: Db,
	heads: readonly Head[],
	nowMs: number,
): Promise<number> {
	const free = db.postgres ? await lockHeads(db, db.postgres, heads) : heads;
	const passed: Lane[] = [];
	for (const { id } of free) passed.push(...(await pass(db, { id, nowMs })));
	await promoteNext(db, passed);
	return passed.length;
}

/** Locks the rows that releasing lanes changes. Lanes whose rows another transaction holds wait for the next run. */
async function lockHeads(
	db: Db,
	run: PostgresStatements,
	heads: readonly Head[],
): Promise<Head[]> {
	const integrations = new Set(
		await lockFreeIntegrations(db, [
			...new Set(heads.map(({ integrationId }) => integrationId)),
		]),
	);
	const wanted = heads.filter((head) => integrations.has(head.integrationId));
	const ids = new Set(
		await lockFreeDeliveries(
			run,
			wanted.map(({ id }) => id),
		),
	);
	const locked = wanted.filter(({ id }) => ids.has(id));
	const blocked = new Set(
		(await lockNext(run, locked, [...ids])).map(keyOfLane),
	);
	return locked.filter((head) => !blocked.has(keyOfLane(head)));
}
