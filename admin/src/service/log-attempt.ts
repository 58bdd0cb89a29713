import { hostname } from "node:os";
import type { AttemptResult } from "@partnerwire/dispatcher";
import type { WorkerOptions } from "@partnerwire/dispatcher/worker";
import type { Log } from "./log.ts";

/** The process that made the attempt. Several on many hosts may write to one log. */
const PROCESS = `${hostname()}:${process.pid}`;

type OnAttempt = NonNullable<WorkerOptions["onAttempt"]>;
type Outcome = Parameters<OnAttempt>[2];

/**
 * Logs attempts: each at debug, a failed one at warn. No line has a URL, because people put secrets into query
 * strings. Tokens and secrets never come here.
 */
export function createAttemptLog(log: Log): OnAttempt {
	return (delivery, result, outcome) => {
		if (result.delivered)
			return log("debug", "delivered", toMembers(delivery, result, outcome));
		const level = outcome === null ? "debug" : "warn";
		log(level, MESSAGES[outcome?.outcome ?? "cut"], {
			...toMembers(delivery, result, outcome),
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
	outcome: Outcome,
) => ({
	process: PROCESS,
	delivery: uuid,
	integration: integration.uuid,
	event_id: eventId,
	sequence,
	attempt: attempts + 1,
	status,
	duration_ms: Math.round(durationMs),
	address,
	retried_on_reset: retriedOnReset,
	...(outcome?.nextAttemptAt != null && {
		next_attempt_at: new Date(outcome.nextAttemptAt).toISOString(),
		waiting_for: outcome.dueRule,
	}),
	...(outcome?.pause != null && { pauses_integration: outcome.pause }),
});
