import type { AttemptOutcome, ClaimedDelivery } from "@partnerwire/core";
import type { AttemptResult } from "../http/attempt-result.ts";
import { planRetry } from "./retry-schedule.ts";
import { toTimings } from "./to-timings.ts";

export interface RetryRules {
	/** Seconds before each attempt, for integrations without a schedule of their own. */
	readonly retrySchedule: readonly number[];
	/** How long a failing head blocks its lane (docs/decisions.md#order). */
	readonly passAfterMs: number;
	/** From 0 to 1, for the jitter. */
	readonly random: () => number;
}

/** Decides what an attempt's result means for its delivery (docs/decisions.md#retries, docs/decisions.md#410). */
export function toAttemptOutcome(
	delivery: ClaimedDelivery,
	result: AttemptResult,
	{ retrySchedule, passAfterMs, random }: RetryRules,
): AttemptOutcome {
	const { failure } = result;
	const { integration, attempts, attemptsBefore } = delivery;
	const endedAt = result.startedAt + Math.round(result.durationMs);
	const retry = result.delivered
		? null
		: planRetry(
				result,
				attempts - attemptsBefore + 1,
				integration.retrySchedule ?? retrySchedule,
				random(),
			);
	const hasLane = integration.ordering === "record";
	return {
		delivery,
		outcome: result.delivered ? "delivered" : retry ? "retry" : "failed",
		nextAttemptAt: retry ? endedAt + retry.delayMs : null,
		dueRule: retry?.rule ?? null,
		passAt: retry && hasLane ? endedAt + passAfterMs : null,
		pause: failure?.class === "gone" ? "gone" : null,
		attempt: {
			startedAt: result.startedAt,
			durationMs: Math.round(result.durationMs),
			status: result.status,
			failureClass: failure?.class ?? null,
			failureStage: failure?.stage ?? null,
			failureCode: failure?.code ?? null,
			message: failure?.message ?? null,
			address: result.address,
			timings: toTimings(result.timings),
			retriedOnReset: result.retriedOnReset,
			responseHeaders: result.responseHeaders as Record<
				string,
				string | string[]
			>,
			responseBody: result.responseBody,
		},
	};
}
