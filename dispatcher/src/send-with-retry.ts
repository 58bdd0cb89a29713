import { setTimeout as wait } from "node:timers/promises";
import type { EventId } from "@partnerwire/wire";
import pRetry from "p-retry";
import type { FailureClass } from "./http/attempt-result.ts";
import { withDefaults } from "./http/with-defaults.ts";
import {
	prepareSend,
	type SendOptions,
	type SendResult,
	withWire,
} from "./send.ts";

export interface RetryOptions {
	/** Attempts after the first. */
	readonly retries?: number;
	readonly minDelayMs?: number;
	readonly maxDelayMs?: number;
	readonly factor?: number;
	/** The limit for `Retry-After`. */
	readonly maxRetryAfterMs?: number;
	readonly onFailedAttempt?: (result: SendResult) => void;
	/** Stops further attempts. The promise then rejects with its reason, unless the last attempt was delivered. */
	readonly signal?: AbortSignal;
}

/** The last attempt, and all of them in order. */
export interface RetriedSendResult extends SendResult {
	readonly attempts: readonly SendResult[];
}

const FINAL: ReadonlySet<FailureClass> = new Set([
	"url_refused",
	"address_refused",
	"gone",
]);

class FailedAttempt extends Error {
	override readonly name = "FailedAttempt";
	readonly result: SendResult;

	constructor(result: SendResult) {
		super(result.failure?.message);
		this.result = result;
	}
}

/** The reason with which a closing dispatcher stops its retries. `emit` then resolves with its last result. */
export class ClosedError extends Error {
	override readonly name = "ClosedError";
}

/**
 * Signs an event and sends it until it is delivered, with growing delays within this process (p-retry). Every attempt has the same
 * bytes and `jti`. A refused URL and a 410 are not tried again. For retries that survive a restart, use the worker.
 *
 * @example
 * const { delivered, attempts } = await sendWithRetry({ url, secret, event: "deal_updated", entity: deal, companyUuid, userUuid }, { retries: 5 });
 */
export async function sendWithRetry<Id extends EventId>(
	options: SendOptions<Id>,
	retryOptions: RetryOptions = {},
): Promise<RetriedSendResult> {
	const o = withDefaults(retryOptions, {
		retries: 3,
		minDelayMs: 1_000,
		maxDelayMs: 60_000,
		factor: 2,
		maxRetryAfterMs: 300_000,
	});
	const attempt = prepareSend(options);
	const attempts: SendResult[] = [];

	return withWire(options, async (wire) => {
		/** Monotonic. Until then, by the last answer's Retry-After, the receiver is not asked again. p-retry waits for its own delay alone. */
		let notBefore = 0;
		const run = async () => {
			const leftMs = notBefore - performance.now();
			if (leftMs > 0) await wait(leftMs, undefined, { signal: o.signal });
			const result = await attempt(wire);
			attempts.push(result);
			if (result.delivered) return result;
			o.onFailedAttempt?.(result);
			throw new FailedAttempt(result);
		};
		const last = await pRetry(run, {
			retries: o.retries,
			minTimeout: o.minDelayMs,
			maxTimeout: o.maxDelayMs,
			factor: o.factor,
			randomize: true,
			signal: o.signal,
			shouldRetry: async ({ error }) => {
				if (!(error instanceof FailedAttempt)) return false;
				const { failure, retryAfterMs } = error.result;
				if (!failure || FINAL.has(failure.class)) return false;
				const delayMs = Math.min(retryAfterMs ?? 0, o.maxRetryAfterMs);
				notBefore = performance.now() + delayMs;
				return true;
			},
		}).catch((error: unknown) => {
			if (error instanceof FailedAttempt) return error.result;
			const reason: unknown = o.signal?.aborted ? o.signal.reason : error;
			const result = attempts.at(-1);
			if (result?.delivered || (result && reason instanceof ClosedError))
				return result;
			throw reason;
		});
		return { ...last, attempts };
	});
}
