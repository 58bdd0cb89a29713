import type { Db, PostgresStatements } from "../../db/db.ts";
import { findFreeCompanies } from "../sql/lock-integrations.ts";
import {
	addAttempts,
	addToRollups,
	type Finish,
	finishAll,
	promoteAll,
} from "../sql/record.postgres.ts";
import { lanesOf, lockAttempted } from "./lock-attempted.ts";
import { pauseItself } from "./pause-itself.ts";
import {
	type AttemptOutcome,
	FAILING_MS,
	type RecordResult,
	toAttemptRow,
} from "./record-attempts.ts";
import { HOUR_MS, type Tally } from "./rollup.ts";
import { countResult } from "./tally.ts";

const toFinish = (result: AttemptOutcome, nowMs: number): Finish => {
	const { delivery, outcome } = result;
	const over = outcome !== "retry";
	return {
		id: delivery.id,
		lease: delivery.lease,
		state: over ? outcome : "pending",
		over,
		due_at: result.nextAttemptAt ?? nowMs,
		due_rule: over ? null : result.dueRule,
		pass_at: over ? null : result.passAt,
		last_error:
			outcome === "delivered" ? null : (result.attempt.message ?? null),
		finished_at: over ? nowMs : null,
	};
};

const keyOf = ({ id, lease }: { id: number; lease: number }) =>
	`${id} ${lease}`;

/**
 * Does what `recordAttemptsIn` does on SQLite, but for all results in a few statements, because each is a round trip
 * over the network. Results whose rows another transaction holds come back in `later`; `waitMs` is how long to wait for
 * an integration.
 */
export async function recordAttemptBatch(
	db: Db,
	run: PostgresStatements,
	results: readonly AttemptOutcome[],
	nowMs: number,
	waitMs?: number,
): Promise<RecordResult> {
	if (results.length === 0) return { taken: 0, later: [] };
	// A statement changes a row only once: of two results of one claim, the first counts.
	const distinct = [
		...new Map(
			[...results].reverse().map((result) => [keyOf(result.delivery), result]),
		),
	].map(([, result]) => result);
	const { now, later } = await lockAttempted(db, run, distinct, waitMs);
	if (now.length === 0) return { taken: 0, later };
	const rows = await finishAll(
		run,
		now.map((result) => toFinish(result, nowMs)),
	);
	const numbers = new Map(rows.map((row) => [keyOf(row), row.attempts]));
	const taken = now.filter(({ delivery }) => numbers.has(keyOf(delivery)));
	await addAttempts(
		run,
		taken.map((result) =>
			toAttemptRow(result, numbers.get(keyOf(result.delivery)) as number),
		),
	);
	const lanes = lanesOf(taken);
	if (lanes.length > 0) await promoteAll(run, lanes);
	await count(db, run, taken, nowMs);
	return { taken: taken.length, later };
}

async function count(
	db: Db,
	run: PostgresStatements,
	taken: readonly AttemptOutcome[],
	nowMs: number,
): Promise<void> {
	const tallies = new Map<number, Tally>();
	for (const result of taken) {
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
	const added = [...tallies].map(([integration_id, tally]) => ({
		integration_id,
		delivered: tally.delivered,
		failed: tally.failed,
		finished: tally.finished,
		last_error: tally.lastError,
	}));
	const hourAt = nowMs - (nowMs % HOUR_MS);
	const totals = await addToRollups(run, added, hourAt, nowMs);
	const failing = totals.filter(
		({ failing_since }) =>
			failing_since !== null && nowMs - failing_since >= FAILING_MS,
	);
	// If another transaction holds the company, the integration is paused after a later failure.
	for (const id of await findFreeCompanies(
		db,
		failing.map(({ id }) => id),
	))
		await pauseItself(db, id, "failing", nowMs);
}
