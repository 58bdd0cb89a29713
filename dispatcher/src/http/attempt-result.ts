/** Why an attempt failed (docs/dispatcher.md#why-an-attempt-failed). The list is closed: callers switch on it. */
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

/** How far an attempt got before it failed. */
export type FailureStage =
	| "dns"
	| "connect"
	| "tls"
	| "request"
	| "headers"
	| "body"
	| "status";

/** A failed attempt's cause. The message is for people and contains no secret, token or URL. */
export interface AttemptFailure {
	readonly class: FailureClass;
	readonly stage: FailureStage;
	/** The code of the system, of TLS or of the parser, such as `ECONNREFUSED`. */
	readonly code: string | null;
	readonly message: string;
}

/** Milliseconds of each phase. Null if it did not happen: a reused connection has no DNS, connect or TLS phase. */
export interface AttemptTimings {
	readonly dnsMs: number | null;
	readonly connectMs: number | null;
	readonly tlsMs: number | null;
	/** From sending the request to the answer's headers. */
	readonly headersMs: number | null;
	readonly bodyMs: number | null;
}

export type ResponseHeaders = Readonly<
	Record<string, string | readonly string[]>
>;

/** The result of one attempt (docs/decisions.md#acknowledged, docs/decisions.md#bounds-of-an-answer). */
export interface AttemptResult {
	readonly delivered: boolean;
	readonly status: number | null;
	readonly failure: AttemptFailure | null;
	/** By the application clock, in Unix milliseconds. */
	readonly startedAt: number;
	/** In whole milliseconds, including the wait for a free connection. */
	readonly durationMs: number;
	readonly timings: AttemptTimings;
	/** The address of the connection. An address that the URL itself names is here even if it was refused. */
	readonly address: string | null;
	/** True if the request was sent a second time because a kept-alive connection was dead. */
	readonly retriedOnReset: boolean;
	readonly responseHeaders: ResponseHeaders;
	/** The first 4 KiB as text. */
	readonly responseBody: string;
	readonly retryAfterMs: number | null;
}
