import type { Db, Store } from "../../db/db.ts";
import type { NewRowOf } from "../../db/insert-row.ts";
import type { DueRule } from "../../db/tables/webhooks.ts";
import type { ClaimedDelivery } from "../claim/claim-due.ts";
import { promoteNext } from "../lanes/promote-next.ts";
import { findFreeCompanies, isLockTimeout } from "../sql/lock-integrations.ts";
import {
	addAttempts,
	addToRollups,
	type Finish,
	finishDeliveries,
} from "../sql/record.ts";
import { lanesOf, lockAttempted } from "./lock-attempted.ts";
import { pauseItself } from "./pause-itself.ts";
import { countResults } from "./tally.ts";

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
const FAILING_MS = 5 * 24 * 3600 * 1000;

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
	if (results.length === 0) return { taken: 0, later: [] };
	const { now, later } = db.postgres
		? await lockAttempted(db, db.postgres, results, waitMs)
		: { now: results, later: [] };
	if (now.length === 0) return { taken: 0, later };
	const finishes = now.map((result) => toFinish(result, nowMs));
	const numbers = await finishDeliveries(db, finishes);
	const taken: AttemptOutcome[] = [];
	const attempts: NewRowOf<"attempt">[] = [];
	for (const [index, result] of now.entries()) {
		const number = numbers[index];
		if (number === undefined) continue;
		taken.push(result);
		attempts.push(toAttemptRow(result, number));
	}
	await addAttempts(db, attempts);
	await promoteNext(db, lanesOf(taken));
	for (const { pause, delivery } of taken)
		if (pause)
			await pauseItself(
				db,
				delivery.integrationId,
				pause,
				nowMs,
				delivery.integration.version,
			);
	const totals = await addToRollups(db, countResults(taken), nowMs);
	const failing = totals.filter(
		({ failingSince }) =>
			failingSince !== null && nowMs - failingSince >= FAILING_MS,
	);
	const ids = failing.map(({ id }) => id);
	// If another transaction holds the company, the integration is paused after a later failure.
	for (const id of await findFreeCompanies(db, ids))
		await pauseItself(db, id, "failing", nowMs);
	return { taken: taken.length, later };
}

const toFinish = (result: AttemptOutcome, nowMs: number): Finish => {
	const { delivery, outcome } = result;
	const isOver = outcome !== "retry";
	return {
		id: delivery.id,
		lease: delivery.lease,
		state: isOver ? outcome : "pending",
		stays: isOver ? 0 : 1,
		dueAt: result.nextAttemptAt ?? nowMs,
		dueRule: isOver ? null : result.dueRule,
		passAt: isOver ? null : result.passAt,
		lastError:
			outcome === "delivered" ? null : (result.attempt.message ?? null),
		finishedAt: isOver ? nowMs : null,
	};
};

/** The row of an attempt, listed member by member like a delivery (see `addDelivery`). */
const toAttemptRow = (
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
