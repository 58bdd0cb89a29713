import type { ClaimedDelivery, SettledAttempt } from "@partnerwire/core";
import type { AttemptResult } from "../attempt-result.ts";
import { nextDelayMs } from "./retry-schedule.ts";

/** What an attempt's result means for its delivery (decisions §2: exhausted, 410). */
export function toSettled(
	delivery: ClaimedDelivery,
	result: AttemptResult,
	schedule: readonly number[],
	random: number,
): SettledAttempt {
	const { failure } = result;
	const endedAt = result.startedAt + result.durationMs;
	const delay = result.delivered
		? null
		: nextDelayMs(result, delivery.attempts + 1, schedule, random);
	return {
		delivery,
		outcome: result.delivered
			? "delivered"
			: delay === null
				? "failed"
				: "retry",
		nextAttemptAt: delay === null ? null : endedAt + delay,
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
			retriedOnReset: result.retriedOnReset,
			responseHeaders: result.responseHeaders as Record<
				string,
				string | string[]
			>,
			responseBody: result.responseBody,
		},
	};
}
