import { MAX_RETRY_DELAY_S } from "@partnerwire/contract";
import { and, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";

/** Deliveries rescheduled in one transaction: it stays small. */
const BATCH = 500;
/** No attempt is planned further ahead: the longest delay of a schedule with its jitter (docs/decisions.md#retries). */
const LONGEST_DELAY_MS = 1.2 * MAX_RETRY_DELAY_S * 1000;
/**
 * The most by which the lease times of two workers differ. A lease that ends later was taken before the clock stepped
 * back.
 */
const LEASES_DIFFER_MS = 600_000;

// By integration, to read the index of due heads from its end. SQLite keeps this join order only for a cross join.
const misplanned = defineQuery(
	"misplanned_deliveries",
	({ query, tables: { delivery, integration } }) =>
		query
			.select({ id: delivery.id })
			.from(integration)
			.crossJoin(delivery)
			.where(
				and(
					eq(delivery.integrationId, integration.id),
					// Spelled as in the partial index, without which SQLite does not use it.
					sql`${delivery.ready} and ${delivery.state} = 'pending'`,
					sql`${delivery.dueAt} > ${sql.placeholder("soonMs")}`,
					sql`(${delivery.attempts} = ${delivery.attemptsBefore} or ${delivery.dueAt} > ${sql.placeholder("longestMs")})`,
				),
			)
			.limit(BATCH),
);

/**
 * Repairs the plan after a clock has stepped back. Deliveries that were never attempted, or are planned further ahead
 * than any schedule goes, become due now, and leases are shortened by the step. Returns the number of deliveries that
 * became due.
 */
export async function rescheduleAfterClockChange(
	store: Store,
	{ nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<number> {
	await shortenLeases(store, leaseMs);
	const soonMs = nowMs + CLOCK_SKEW_MS;
	const longestMs = nowMs + LONGEST_DELAY_MS;
	let rescheduled = 0;
	for (;;) {
		const found = await misplanned(store.read, { soonMs, longestMs });
		if (found.length === 0) return rescheduled;
		const ids = found.map(({ id }) => id);
		const changed = await store.write((db) => makeDue(db, ids, nowMs));
		rescheduled += changed;
		if (changed === 0 || found.length < BATCH) return rescheduled;
	}
}

async function makeDue(
	db: Db,
	ids: readonly number[],
	nowMs: number,
): Promise<number> {
	const { delivery } = db.tables;
	const planned = db.query
		.select({ id: delivery.id })
		.from(delivery)
		.where(
			and(
				inArray(delivery.id, [...ids]),
				eq(delivery.state, "pending"),
				gt(delivery.dueAt, nowMs),
			),
		)
		.orderBy(delivery.id);
	const rows = await db.query
		.update(delivery)
		.set({ dueAt: nowMs })
		.where(
			db.dialect.isFoundBy(
				delivery.id,
				sql`${planned.getSQL()}${db.dialect.skipLocked}`,
			),
		)
		.returning({ id: delivery.id });
	return rows.length;
}

/** Leases use the database's clock. On SQLite that is this machine's, so they may have become too long. */
async function shortenLeases(store: Store, leaseMs: number): Promise<void> {
	if (store.dialect.name === "postgres") return;
	const { delivery } = store.tables;
	const end = sql<number>`${store.dialect.now()} + ${leaseMs}`;
	const isTooLong = sql`${delivery.state} = 'delivering' and ${delivery.leaseUntil} > ${end} + ${LEASES_DIFFER_MS}`;
	const [long] = await store.read.query
		.select({ id: delivery.id })
		.from(delivery)
		.where(isTooLong)
		.limit(1);
	if (!long) return;
	await store.write((db) =>
		db.query.update(delivery).set({ leaseUntil: end }).where(isTooLong),
	);
}
