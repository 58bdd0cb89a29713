import type { WebhookClaims } from "@partnerwire/wire";
import type { EventContext } from "../common/context-types.ts";
import { REASONS, type Reason } from "../common/reasons.ts";
import {
	type Observation,
	toRefusal,
	type Verdict,
} from "../common/verdict.ts";
import { maskClaims } from "../verify/claims.ts";
import { nameOf, type ReportOptions, tellError } from "./tell.ts";

/** Everything that is found out about a request while it is answered. They become its observation. */
export interface RequestState
	extends Omit<Observation, "status" | "outcome" | "durationMs" | "claims"> {
	startedMs: number;
	claims?: WebhookClaims | undefined;
}

/** The time until this request's deadline. */
export function remainingMs(
	{ deadlineMs }: { deadlineMs: number },
	state: RequestState,
): number {
	return deadlineMs - (performance.now() - state.startedMs);
}

/** The error that made a request fail, and the handler's context if a handler threw it. */
interface Cause {
	error: unknown;
	context?: EventContext;
	/** Whether the log has told the same a moment ago. */
	isKnown?: boolean;
}

/** Logs a failure and builds its 500, both with the same request id. Neither contains the error's message. */
export function fail(
	o: ReportOptions,
	reason: Reason,
	state: RequestState,
	cause?: Cause,
): Verdict {
	state.requestId = crypto.randomUUID();
	const line = `${nameOf(state)}: ${reason} (${state.requestId}). ${REASONS[reason][1]}`;
	if (cause) {
		const hint = o.onError ? " onError was told why." : "";
		tellError(o, line + hint, cause.error, cause.context, cause.isKnown);
	} else o.log(line);
	return toRefusal(reason, { request_id: state.requestId });
}

/** Builds the argument of `onVerdict`. Its claims are masked. */
export function toObservation(
	verdict: Verdict,
	{ startedMs, claims, ...others }: RequestState,
): Observation {
	const { status, outcome, reason } = verdict;
	return {
		...others,
		status,
		outcome,
		reason,
		claims: claims && maskClaims(claims),
		jti: claims?.jti,
		sequence: claims?.sequence,
		durationMs: performance.now() - startedMs,
	};
}
