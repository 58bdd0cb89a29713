import type {
	AttemptResult,
	SignedRequest,
	Wire,
} from "@partnerwire/dispatcher";
import { seal } from "../../../dispatcher/src/sign/seal.ts";

/** A request that reached the receiver. */
export interface Arrival {
	readonly jti: string;
	readonly sequence: number;
	readonly body: string;
	readonly url: string;
}

const NO_TIMINGS = {
	dnsMs: null,
	connectMs: null,
	tlsMs: null,
	headersMs: 1,
	bodyMs: 1,
};

/** The result of an attempt with this status, or of one cut short by a reset for null. */
export function toResult(
	status: number | null,
	nowMs: number,
	more: Partial<AttemptResult> = {},
): AttemptResult {
	const failure =
		status === 200
			? null
			: status === null
				? {
						class: "reset" as const,
						stage: "headers" as const,
						code: "ECONNRESET",
						message: "the connection was closed",
					}
				: {
						class:
							status === 410 ? ("gone" as const) : ("server_error" as const),
						stage: "status" as const,
						code: null,
						message: `the endpoint answered ${status}`,
					};
	return {
		delivered: failure === null,
		status,
		failure,
		startedAt: nowMs,
		durationMs: 2,
		timings: NO_TIMINGS,
		address: "192.0.2.1",
		retriedOnReset: false,
		responseHeaders: {},
		responseBody: "",
		retryAfterMs: null,
		...more,
	};
}

/** The claims of a token, unverified: signing has its own tests. */
export function readClaims(token: string): Record<string, unknown> {
	const [, payload = ""] = token.split(".");
	return JSON.parse(Buffer.from(payload, "base64url").toString());
}

/** A wire without a network. `answer` decides the result of each request, at once or later. */
export function createFakeWire(
	answer: (
		arrival: Arrival,
		request: SignedRequest,
	) => AttemptResult | Promise<AttemptResult>,
): Wire & { readonly arrivals: readonly Arrival[] } {
	const arrivals: Arrival[] = [];
	return {
		arrivals,
		maxAttemptMs: 1000,
		async attempt(unsealed) {
			const request = "token" in unsealed ? unsealed : seal(unsealed);
			const claims = readClaims(request.token);
			const arrival = {
				jti: String(claims.jti),
				sequence: Number(claims.sequence),
				body: new TextDecoder().decode(request.body),
				url: request.url,
			};
			arrivals.push(arrival);
			return answer(arrival, request);
		},
		close: () => Promise.resolve(),
	};
}
