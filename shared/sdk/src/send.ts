/* Sends the request of a call, and repeats it where that is safe and helps. */
import { ApiError } from "@partnerwire/contract/api-error";
import pRetry from "p-retry";
import { isForeign, readAnswer } from "./read-answer.ts";

export interface SendOptions {
	readonly apiKey: string;
	readonly fetch?: typeof fetch | undefined;
	readonly timeoutMs: number;
	readonly retries: number;
	readonly maxRetryAfterMs: number;
	readonly signal?: AbortSignal | undefined;
	readonly idempotencyKey?: string | undefined;
	/** Called with the names of members that the service ignored. */
	readonly onIgnored: (members: string[]) => void;
}

/** After these the service did not run the request: any request may be sent again. A proxy's 503 does not say so. */
const NOT_RUN = new Set([429, 503]);
/** Without the service's answer nobody knows whether the request ran. These are safe to repeat; a POST has its idempotency key. */
const REPEATABLE = new Set(["GET", "PUT", "POST"]);
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A timer that is set for longer than this ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

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

	const attempt = async (): Promise<unknown> => {
		// Not called as a method: in browsers and Workers, `fetch` throws with another `this`.
		const request: typeof fetch = o.fetch ?? ((...sent) => fetch(...sent));
		const limit = limitTime(o);
		try {
			const response = await request(url, {
				method,
				headers,
				signal: limit.signal,
				// A redirect would make a POST the GET of another operation, and show the key to another server.
				redirect: "manual",
				...(body !== undefined && { body: JSON.stringify(body) }),
			});
			const ignored = response.headers.get("partnerwire-ignored");
			if (ignored !== null) o.onIgnored(ignored.split(/[,;] ?/));
			return await readAnswer(response);
		} finally {
			limit.end();
		}
	};

	return pRetry(attempt, {
		retries: o.retries,
		minTimeout: FIRST_PAUSE_MS,
		maxTimeout: LONGEST_PAUSE_MS,
		randomize: true,
		...(o.signal && { signal: o.signal }),
		// Asked only while attempts are left.
		async shouldRetry({ error }) {
			const isAnswered = error instanceof ApiError;
			if (!isAnswered || isForeign(error))
				if (!REPEATABLE.has(method)) return false;
			// An error of another kind is one of the caller's own `fetch`, which knows better. workerd's has no kind.
			if (!isAnswered)
				return !o.fetch || /^(?:Type|Timeout)Error$/.test(error.name);
			const waitMs = (error.retryAfterS ?? 0) * 1000;
			const mostMs = Math.min(o.maxRetryAfterMs, LONGEST_TIMER_MS);
			if (!NOT_RUN.has(error.status) || waitMs > mostMs) return false;
			await pause(waitMs, o.signal);
			return true;
		},
	}).catch((error) => {
		throw o.signal?.aborted ? toError(o.signal.reason) : error;
	});
}

/** The reason of an abort may be a text. */
const toError = (reason: unknown): Error =>
	reason instanceof Error
		? reason
		: Object.assign(new Error(String(reason)), { name: "AbortError" });

/** 128 random bits. Not `crypto.randomUUID`: browsers leave it out of pages over http. */
const newKey = (): string =>
	Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
		byte.toString(16).padStart(2, "0"),
	).join("");

/** The signal of an attempt. `AbortSignal.timeout` would keep its timer after the answer, and workerd allows 10,000. */
function limitTime({ signal, timeoutMs }: SendOptions) {
	const timeout = new AbortController();
	const timer = setTimeout(
		() =>
			timeout.abort(
				new DOMException(`no answer within ${timeoutMs} ms`, "TimeoutError"),
			),
		Math.min(Math.ceil(timeoutMs), LONGEST_TIMER_MS),
	);
	return {
		signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
		end: () => clearTimeout(timer),
	};
}

const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
	new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
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
