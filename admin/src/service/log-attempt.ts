import type { AttemptResult } from "@partnerwire/dispatcher";
import type { WorkerOptions } from "@partnerwire/dispatcher/worker";
import type { Log } from "./log.ts";

type OnAttempt = NonNullable<WorkerOptions["onAttempt"]>;
type Settled = Parameters<OnAttempt>[2];

/**
 * Logs attempts: each at debug, a failed one at warn. No line has a URL, because people put secrets into query
 * strings. Tokens and secrets never come here.
 */
export function createAttemptLog(log: Log): OnAttempt {
	return (delivery, result, settled) => {
		if (result.delivered)
			return log("debug", "delivered", toMembers(delivery, result, settled));
		const level = settled === null ? "debug" : "warn";
		log(level, MESSAGES[settled?.outcome ?? "cut"], {
			...toMembers(delivery, result, settled),
			class: result.failure?.class,
			stage: result.failure?.stage,
			code: result.failure?.code,
			reason: result.failure?.message,
		});
	};
}

const MESSAGES = {
	delivered: "delivered",
	retry: "attempt failed, will be retried",
	failed: "delivery failed",
	cut: "attempt cut short, will be made again",
} as const;

const toMembers = (
	{ uuid, integration, eventId, sequence, attempts }: Parameters<OnAttempt>[0],
	{ status, durationMs, address, retriedOnReset }: AttemptResult,
	settled: Settled,
) => ({
	delivery: uuid,
	integration: integration.uuid,
	event_id: eventId,
	sequence,
	attempt: attempts + 1,
	status,
	duration_ms: Math.round(durationMs),
	address,
	retried_on_reset: retriedOnReset,
	...(settled?.nextAttemptAt != null && {
		next_attempt_at: new Date(settled.nextAttemptAt).toISOString(),
		waiting_for: settled.dueRule,
	}),
	...(settled?.pause != null && { pauses_integration: settled.pause }),
});
