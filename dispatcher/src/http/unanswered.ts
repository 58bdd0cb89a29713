import type { AttemptFailure, AttemptResult } from "./attempt-result.ts";

const NO_TIMINGS = {
	dnsMs: null,
	connectMs: null,
	tlsMs: null,
	headersMs: null,
	bodyMs: null,
};

/** The result of an attempt without a connection. */
export const toUnanswered = (
	failure: AttemptFailure,
	startedAt: number,
	durationMs = 0,
): AttemptResult => ({
	delivered: false,
	status: null,
	failure,
	startedAt,
	durationMs,
	timings: NO_TIMINGS,
	address: null,
	retriedOnReset: false,
	responseHeaders: {},
	responseBody: "",
	retryAfterMs: null,
});
