/** Why an attempt failed: the closed list of issue 5, item 3. Callers switch on it. */
export const FAILURE_CLASSES = [
	"url_refused",
	"address_refused",
	"dns_failed",
	"connect_refused",
	"connect_timeout",
	"tls_failed",
	"reset",
	"answer_timeout",
	"body_timeout",
	"invalid_response",
	"answer_too_large",
	"redirect",
	"wrong_success",
	"client_error",
	"gone",
	"rate_limited",
	"server_error",
	"network_error",
	"aborted",
	"interrupted",
] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

/** How far an attempt got before it failed (issue 5, item 3). */
export type FailureStage =
	| "dns"
	| "connect"
	| "tls"
	| "request"
	| "headers"
	| "body"
	| "status";

/** A failed attempt's cause; the message is for people and holds neither secret, token nor URL. */
export interface AttemptFailure {
	readonly class: FailureClass;
	readonly stage: FailureStage;
	/** The system's, TLS's or parser's code, such as `ECONNREFUSED`. */
	readonly code: string | null;
	readonly message: string;
}

/** Milliseconds per phase; null when the phase did not happen (a reused connection has no DNS, connect or TLS phase). */
export interface AttemptTimings {
	readonly dnsMs: number | null;
	readonly connectMs: number | null;
	readonly tlsMs: number | null;
	/** From the request being sent to the answer's headers. */
	readonly headersMs: number | null;
	readonly bodyMs: number | null;
}

export type ResponseHeaders = Readonly<
	Record<string, string | readonly string[]>
>;

/** Everything that is known about one attempt (decisions §2, Acknowledged and Response capture). */
export interface AttemptResult {
	readonly delivered: boolean;
	readonly status: number | null;
	readonly failure: AttemptFailure | null;
	/** By the application clock, in Unix milliseconds. */
	readonly startedAt: number;
	/** Whole milliseconds, waiting for a free connection included. */
	readonly durationMs: number;
	readonly timings: AttemptTimings;
	/** The address connected to, or the one that was refused. */
	readonly address: string | null;
	/** True if the request was sent a second time because a kept-alive connection turned out to be dead. */
	readonly retriedOnReset: boolean;
	readonly responseHeaders: ResponseHeaders;
	/** The first 4 KiB as text. */
	readonly responseBody: string;
	readonly retryAfterMs: number | null;
}
