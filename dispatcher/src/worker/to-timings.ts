import type { PhaseTimings } from "@partnerwire/core";
import type { AttemptTimings } from "../http/attempt-result.ts";

/** Rounds an attempt's phases for storing and showing: milliseconds with one decimal. */
export const toTimings = (timings: AttemptTimings): PhaseTimings => ({
	dns_ms: round(timings.dnsMs),
	connect_ms: round(timings.connectMs),
	tls_ms: round(timings.tlsMs),
	headers_ms: round(timings.headersMs),
	body_ms: round(timings.bodyMs),
});

const round = (ms: number | null) => ms && Math.round(ms * 10) / 10;
