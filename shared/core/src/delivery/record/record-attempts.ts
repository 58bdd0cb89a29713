import { and, eq, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { insertRow, type NewRowOf } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { DueRule } from "../../db/tables/webhooks.ts";
import type { ClaimedDelivery } from "../claim/claim-due.ts";
import { promoteNext } from "../lanes/promote-next.ts";
import { isLockTimeout } from "../sql/lock-integrations.ts";
import { pauseItself } from "./pause-itself.ts";
import { recordAttemptBatch } from "./record-attempt-batch.ts";
import { addToRollup, type Tally } from "./rollup.ts";
import { countResult } from "./tally.ts";

/** The result of an attempt, and its consequences. */
export interface AttemptOutcome {
	readonly delivery: ClaimedDelivery;
	readonly outcome: "delivered" | "failed" | "retry";
	/** When the next attempt is due, for `retry`: milliseconds by the application clock. */
	readonly nextAttemptAt: number | null;
	/** The rule behind that time. */
	readonly dueRule: DueRule | null;
	/** For `retry`: when the lane stops waiting for this head, unless an earlier failure has set a time already. */
	readonly passAt: number | null;
	readonly attempt: Omit<NewRowOf<"attempt">, "id" | "deliveryId" | "number">;
	/** Pauses the integration with this reason (docs/decisions.md#410). */
	readonly pause: string | null;
}

/** An integration that has only failed for this long is paused (docs/decisions.md#only-failures-for-five-days). */
export const FAILING_MS = 5 * 24 * 3600 * 1000;

const finish = defineQuery(
	"settle_delivery",
	({ query, tables: { delivery } }) =>
		query
			.update(delivery)
			.set({
				state: sql`${sql.placeholder("state")}`,
				ready: sql`${delivery.ready} and ${sql.placeholder("stays")} = 1`,
				dueAt: sql`${sql.placeholder("dueAt")}`,
				dueRule: sql`${sql.placeholder("dueRule")}`,
				passAt: sql`case when ${delivery.passed} then null else coalesce(${delivery.passAt}, ${sql.placeholder("passAt")}) end`,
				attempts: sql`${delivery.attempts} + 1`,
				leaseUntil: null,
				lastError: sql`${sql.placeholder("lastError")}`,
				finishedAt: sql`${sql.placeholder("finishedAt")}`,
			})
			.where(
				and(
					eq(delivery.id, sql.placeholder("id")),
					eq(delivery.lease, sql.placeholder("lease")),
					eq(delivery.state, "delivering"),
				),
			)
			.returning({ attempts: delivery.attempts }),
);

/** The number of results written, and those that must be passed again because other transactions hold their rows. */
export interface RecordResult {
	readonly taken: number;
	readonly later: readonly AttemptOutcome[];
}

/**
 * Writes the results of attempts in one transaction: delivery, attempt, the next head of the lane, the hour's rollup. A
 * result under a lease that is no longer the newest changes nothing. Returns the number written.
 */
export const recordAttempts = async (
	store: Store,
	results: readonly AttemptOutcome[],
	nowMs: number,
): Promise<number> =>
	(await store.write((db) => recordAttemptsIn(db, results, nowMs))).taken;

/**
 * Like `recordAttempts`, but waits up to `waitMs` for integrations that other transactions hold. Without waiting,
 * results of an integration that is always in use would never be written.
 */
export async function recordAttemptsWithin(
	store: Store,
	results: readonly AttemptOutcome[],
	{ nowMs, waitMs }: { nowMs: number; waitMs: number },
): Promise<RecordResult> {
	try {
		return await store.write((db) =>
			recordAttemptsIn(db, results, nowMs, waitMs),
		);
	} catch (error) {
		if (isLockTimeout(error)) return { taken: 0, later: results };
		throw error;
	}
}

/** `recordAttempts` inside a transaction. */
export async function recordAttemptsIn(
	db: Db,
	results: readonly AttemptOutcome[],
	nowMs: number,
	waitMs?: number,
): Promise<RecordResult> {
	if (db.postgres)
		return recordAttemptBatch(db, db.postgres, results, nowMs, waitMs);
	const tallies = new Map<number, Tally>();
	let taken = 0;
	for (const result of results) {
		if (!(await recordOne(db, result, nowMs))) continue;
		taken++;
		countResult(tallies, result);
		if (result.pause)
			await pauseItself(
				db,
				result.delivery.integration.id,
				result.pause,
				nowMs,
				result.delivery.integration.version,
			);
	}
	for (const [integrationId, tally] of tallies) {
		const failingSince = await addToRollup(db, integrationId, tally, nowMs);
		if (failingSince !== null && nowMs - failingSince >= FAILING_MS)
			await pauseItself(db, integrationId, "failing", nowMs);
	}
	return { taken, later: [] };
}

/** The row of an attempt, listed member by member like a delivery (see `addDelivery`). */
export const toAttemptRow = (
	{ delivery, attempt }: AttemptOutcome,
	number: number,
): NewRowOf<"attempt"> => ({
	deliveryId: delivery.id,
	number,
	startedAt: attempt.startedAt,
	durationMs: attempt.durationMs,
	status: attempt.status,
	failureClass: attempt.failureClass,
	failureStage: attempt.failureStage,
	failureCode: attempt.failureCode,
	message: attempt.message,
	address: attempt.address,
	timings: attempt.timings,
	retriedOnReset: attempt.retriedOnReset,
	responseHeaders: attempt.responseHeaders,
	responseBody: attempt.responseBody,
});

async function recordOne(
	db: Db,
	result: AttemptOutcome,
	nowMs: number,
): Promise<boolean> {
	const { delivery, outcome, attempt } = result;
	const isOver = outcome !== "retry";
	const [row] = await finish(db, {
		id: delivery.id,
		lease: delivery.lease,
		state: isOver ? outcome : "pending",
		stays: isOver ? 0 : 1,
		dueAt: result.nextAttemptAt ?? nowMs,
		dueRule: isOver ? null : result.dueRule,
		passAt: isOver ? null : result.passAt,
		lastError: outcome === "delivered" ? null : attempt.message,
		finishedAt: isOver ? nowMs : null,
	});
	if (!row) return false;
	await insertRow(db, "attempt", toAttemptRow(result, row.attempts));
	if (isOver)
		await promoteNext(db, {
			integrationId: delivery.integration.id,
			lane: delivery.lane,
		});
	return true;
}
