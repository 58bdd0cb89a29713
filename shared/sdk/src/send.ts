import pRetry, { AbortError } from "p-retry";
import { toError } from "./to-error.ts";

export interface SendOptions {
	readonly apiKey: string;
	readonly fetch?: typeof fetch;
	readonly timeoutMs: number;
	readonly retries: number;
	readonly maxRetryAfterMs: number;
	readonly signal?: AbortSignal;
	readonly idempotencyKey?: string;
}

/** After these the service did not run the request: any request may be sent again. */
const NOT_RUN = new Set([429, 503]);
/** Without an answer nobody knows whether the request ran. These are safe to repeat; a POST has its idempotency key. */
const REPEATABLE = new Set(["GET", "PUT", "POST"]);
const FIRST_PAUSE_MS = 500;

/** Sends one call, repeats it if that is safe and helps, and resolves to its JSON. */
export function send(
	method: string,
	url: string,
	body: unknown,
	o: SendOptions,
): Promise<unknown> {
	const headers = {
		authorization: `Bearer ${o.apiKey}`,
		...(body !== undefined && { "content-type": "application/json" }),
		...(method === "POST" && {
			"idempotency-key": o.idempotencyKey ?? newKey(),
		}),
	};
	/** The wait that the last answer asked for. */
	let retryAfterMs = 0;

	const attempt = async (): Promise<unknown> => {
		retryAfterMs = 0;
		// Not called as a method: in browsers and Workers, `fetch` throws with another `this`.
		const request: typeof fetch = o.fetch ?? ((...sent) => fetch(...sent));
		const response = await request(url, {
			method,
			headers,
			signal: toSignal(o),
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		if (response.ok) return response.json();
		const error = await toError(response);
		retryAfterMs = toMs(response.headers.get("retry-after"));
		throw NOT_RUN.has(response.status) && retryAfterMs <= o.maxRetryAfterMs
			? error
			: new AbortError(error);
	};

	return pRetry(attempt, {
		retries: o.retries,
		minTimeout: FIRST_PAUSE_MS,
		randomize: true,
		...(o.signal && { signal: o.signal }),
		// Only a 429 or 503 comes this far.
		shouldRetry: ({ error }) =>
			error.name === "ApiError" || REPEATABLE.has(method),
		// After the last attempt there is nothing to wait for.
		onFailedAttempt: ({ retriesLeft }) =>
			pause(retriesLeft > 0 ? retryAfterMs : 0, o.signal),
	});
}

/** 128 random bits. Not `crypto.randomUUID`: browsers leave it out of pages over http. */
const newKey = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
		byte.toString(16).padStart(2, "0"),
	).join("");

const toSignal = ({ signal, timeoutMs }: SendOptions): AbortSignal => {
	const timeout = AbortSignal.timeout(timeoutMs);
	return signal ? AbortSignal.any([signal, timeout]) : timeout;
};

/** `Retry-After` is whole seconds or a date (RFC 9110 §10.2.3). Anything else is 0. */
function toMs(retryAfter: string | null): number {
	if (retryAfter === null) return 0;
	const seconds = Number(retryAfter);
	const ms = Number.isNaN(seconds)
		? Date.parse(retryAfter) - Date.now()
		: seconds * 1000;
	return Math.max(0, ms || 0);
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
	new Promise((resolve, reject) => {
		if (ms === 0) return resolve();
		const end = () => {
			clearTimeout(timer);
			reject(signal?.reason);
		};
		const timer = setTimeout(() => {
			signal?.removeEventListener("abort", end);
			resolve();
		}, ms);
		signal?.addEventListener("abort", end, { once: true });
	});
