import type { AttemptResult } from "../http/attempt-result.ts";

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_MS = 24 * HOUR_S * 1000;

/** Seconds before each attempt, counted from the one before (docs/decisions.md#retries). */
export const RETRY_SCHEDULE: readonly number[] = [
	0,
	5,
	5 * MINUTE_S,
	30 * MINUTE_S,
	2 * HOUR_S,
	5 * HOUR_S,
	10 * HOUR_S,
	14 * HOUR_S,
	20 * HOUR_S,
	24 * HOUR_S,
];

const JITTER = 0.2;
/** An endpoint that is overloaded or does not answer is not called again before this time is over. */
const OVERLOAD_FLOOR_MS = 60_000;
const OVERLOADED_STATUS = new Set([429, 502, 503, 504]);
const TIMED_OUT = new Set([
	"answer_timeout",
	"body_timeout",
	"connect_timeout",
]);

interface Failed extends Pick<AttemptResult, "status" | "retryAfterMs"> {
	readonly failure: { readonly class: string } | null;
}

/** When a failed delivery is tried again, and the rule that decided it. */
export interface Retry {
	readonly delayMs: number;
	readonly rule: "schedule" | "retry_after" | "overload_floor";
}

/**
 * Plans the next attempt. Null if there is none, because the schedule is used up or the endpoint is gone.
 *
 * @param attempts the number of attempts made by this schedule, including the failed one
 * @param random from 0 (inclusive) to 1, for the jitter
 */
export function planRetry(
	failed: Failed,
	attempts: number,
	schedule: readonly number[],
	random: number,
): Retry | null {
	const plannedS = schedule[attempts];
	if (plannedS === undefined || failed.failure?.class === "gone") return null;
	const plannedMs = plannedS * 1000 * (1 - JITTER + 2 * JITTER * random);
	const retryAfterMs = Math.min(failed.retryAfterMs ?? 0, DAY_MS);
	const floorMs = isOverloaded(failed) ? OVERLOAD_FLOOR_MS : 0;
	const delayMs = Math.round(Math.max(plannedMs, retryAfterMs, floorMs));
	if (plannedMs >= retryAfterMs && plannedMs >= floorMs)
		return { delayMs, rule: "schedule" };
	return {
		delayMs,
		rule: retryAfterMs >= floorMs ? "retry_after" : "overload_floor",
	};
}

const isOverloaded = ({ status, failure }: Failed): boolean =>
	(status !== null && OVERLOADED_STATUS.has(status)) ||
	TIMED_OUT.has(failure?.class ?? "");
