import { MAX_RETRY_DELAY_S } from "@partnerwire/contract";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";
import { lockFreeDeliveries } from "../sql/record.postgres.ts";

/** Mended at once: one small transaction. */
const BATCH = 500;
/** No attempt is planned further ahead: the longest delay of a schedule with its jitter (decisions §2). */
const LONGEST_DELAY_MS = 1.2 * MAX_RETRY_DELAY_S * 1000;
/** No worker claims for longer than this beyond another one's lease. */
const LEASES_DIFFER_MS = 600_000;

// By integration, which SQLite does in a cross join alone: in the index of what is due, from its end.
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
 * After a clock has stepped back: what was never attempted, or is planned further ahead than any schedule goes, is due now,
 * and no lease lasts longer by the step. Answers how many deliveries are due by it.
 */
export async function rescheduleAfterClockChange(
	store: Store,
	{ nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<number> {
	await shortenLeases(store, leaseMs);
	const soonMs = nowMs + CLOCK_SKEW_MS;
	const longestMs = nowMs + LONGEST_DELAY_MS;
	let mended = 0;
	for (;;) {
		const found = await misplanned(store.read, { soonMs, longestMs });
		if (found.length === 0) return mended;
		const ids = found.map(({ id }) => id);
		const changed = await store.write((db) => makeDue(db, ids, nowMs));
		mended += changed;
		if (changed === 0 || found.length < BATCH) return mended;
	}
}

async function makeDue(
	db: Db,
	ids: readonly number[],
	nowMs: number,
): Promise<number> {
	const { delivery } = db.tables;
	const free = db.postgres ? await lockFreeDeliveries(db.postgres, ids) : ids;
	const rows = await db.query
		.update(delivery)
		.set({ dueAt: nowMs })
		.where(
			and(
				inArray(delivery.id, [...free]),
				eq(delivery.state, "pending"),
				sql`${delivery.dueAt} > ${nowMs}`,
			),
		)
		.returning({ id: delivery.id });
	return rows.length;
}

/** Leases go by the database's clock: on SQLite that of this machine. */
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
