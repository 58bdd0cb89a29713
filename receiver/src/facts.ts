import type { WebhookClaims } from "@partnerwire/contract";
import { maskClaims } from "./claims.ts";
import type { Reason } from "./reasons.ts";
import type { ResolvedOptions } from "./receiver-options.ts";
import { type Observation, toRefusal, type Verdict } from "./verdict.ts";

/** What is learnt of one request on its way; becomes its observation. */
export interface Facts
	extends Omit<Observation, "status" | "outcome" | "durationMs" | "claims"> {
	startedMs: number;
	claims?: WebhookClaims | undefined;
}

/** How long this request may still take. */
export function remainingMs(o: ResolvedOptions, facts: Facts): number {
	return o.deadlineMs - (performance.now() - facts.startedMs);
}

/** Calls an observer; what it throws must not change a verdict. */
export function notify(o: ResolvedOptions, observer: () => unknown): void {
	try {
		observer();
	} catch {
		o.log("A callback threw; the answer stands.");
	}
}

/** A 500 with an id that is also in the log: the error's message is in neither (case G04). */
export function fail(
	o: ResolvedOptions,
	reason: Reason,
	facts: Facts,
	error?: unknown,
): Verdict {
	facts.requestId = crypto.randomUUID();
	const told = error !== undefined && o.onError ? " onError was told why." : "";
	o.log(
		`${facts.eventId ?? "A request"}: ${reason} (${facts.requestId}).${told}`,
	);
	return toRefusal(reason, { request_id: facts.requestId });
}

/** What `onVerdict` is told; claims are masked. */
export function toObservation(
	verdict: Verdict,
	{ startedMs, claims, ...facts }: Facts,
): Observation {
	const { status, outcome, reason } = verdict;
	return {
		...facts,
		status,
		outcome,
		reason,
		claims: claims && maskClaims(claims),
		jti: claims?.jti,
		sequence: claims?.sequence,
		durationMs: performance.now() - startedMs,
	};
}
