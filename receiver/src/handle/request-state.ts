import type { WebhookClaims } from "@partnerwire/wire";
import type { EventContext } from "../common/context-types.ts";
import { REASONS, type Reason } from "../common/reasons.ts";
import {
	type Observation,
	toRefusal,
	type Verdict,
} from "../common/verdict.ts";
import type { ResolvedOptions } from "../options.ts";
import { maskClaims } from "../verify/claims.ts";
import { nameOf, tellError } from "./tell.ts";

/** What is learnt of one request on its way; becomes its observation. */
export interface RequestState
	extends Omit<Observation, "status" | "outcome" | "durationMs" | "claims"> {
	startedMs: number;
	claims?: WebhookClaims | undefined;
}

/** How long this request may still take. */
export function remainingMs(o: ResolvedOptions, facts: RequestState): number {
	return o.deadlineMs - (performance.now() - facts.startedMs);
}

/** Why a request failed, if something was thrown, and for which event. */
interface Cause {
	error: unknown;
	context?: EventContext;
}

/** A 500 with an id that is also in the log: the error's message is in neither (case G04). */
export function fail(
	o: ResolvedOptions,
	reason: Reason,
	facts: RequestState,
	cause?: Cause,
): Verdict {
	facts.requestId = crypto.randomUUID();
	const line = `${nameOf(facts)}: ${reason} (${facts.requestId}). ${REASONS[reason][1]}`;
	if (cause) {
		const told = o.onError ? " onError was told why." : "";
		tellError(o, line + told, cause.error, cause.context);
	} else o.log(line);
	return toRefusal(reason, { request_id: facts.requestId });
}

/** What `onVerdict` is told; claims are masked. */
export function toObservation(
	verdict: Verdict,
	{ startedMs, claims, ...facts }: RequestState,
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
