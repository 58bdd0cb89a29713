import { setTimeout as wait } from "node:timers/promises";
import type {
	AttemptRequest,
	AttemptResult,
	Wire,
} from "@partnerwire/dispatcher";
import { decodeJwt } from "jose";
import type { Faults } from "./faults.ts";

/** A delivery that is to be overtaken. */
interface Late {
	readonly request: AttemptRequest;
	/** Ends its wait: the next delivery to the same URL was sent. */
	readonly release: () => void;
}

/**
 * Sends as a network without guarantees does: twice, or in another order. A delivery that is overtaken counts as delivered
 * at once, because the next of its record would wait for it otherwise; it is sent after the next one to its URL, or after
 * its delay.
 */
export function disturbWire(
	wire: Wire,
	faults: Faults,
	clock: () => number,
): Wire {
	const late = new Map<string, Late[]>();
	const closing = new AbortController();
	const underWay = new Set<Promise<unknown>>();

	function sendLater(request: AttemptRequest, delayMs: number): void {
		const released = new AbortController();
		const entry = { request, release: () => released.abort() };
		late.set(request.url, [...(late.get(request.url) ?? []), entry]);
		const signal = AbortSignal.any([released.signal, closing.signal]);
		const sent = wait(delayMs, undefined, { signal, ref: false })
			.catch(() => {})
			.then(() => {
				forget(entry);
				return closing.signal.aborted ? undefined : wire.attempt(request);
			})
			.finally(() => underWay.delete(sent));
		underWay.add(sent);
	}

	function forget(entry: Late): void {
		const { url } = entry.request;
		const left = late.get(url)?.filter((other) => other !== entry) ?? [];
		if (left.length > 0) late.set(url, left);
		else late.delete(url);
	}

	/** By this clock: while it stands still, nothing takes time, and what follows from an attempt is the same each time. */
	async function attempt(request: AttemptRequest): Promise<AttemptResult> {
		const result = await wire.attempt(request);
		const { startedAt, timings } = result;
		const durationMs = Math.max(0, clock() - startedAt);
		return durationMs > 0
			? { ...result, durationMs }
			: { ...result, durationMs, timings: toNothing(timings) };
	}

	return {
		...wire,
		async attempt(request) {
			const fault = faults.ofDelivery({
				url: request.url,
				eventId: decodeJwt(request.token).event_id,
			});
			if (fault?.kind === "reorder") {
				sendLater(request, fault.delay_ms);
				return toAcknowledged(clock());
			}
			const result = await attempt(request);
			if (fault?.kind === "duplicate") await wire.attempt(request);
			for (const { release } of late.get(request.url) ?? []) release();
			return result;
		},
		async close(options) {
			closing.abort();
			await wire.close(options);
			await Promise.all(underWay);
		},
	};
}

const toNothing = (timings: AttemptResult["timings"]) =>
	Object.fromEntries(
		Object.entries(timings).map(([phase, ms]) => [phase, ms && 0]),
	) as unknown as AttemptResult["timings"];

/** What is recorded of a delivery that is still to be sent. */
const toAcknowledged = (startedAt: number): AttemptResult => ({
	delivered: true,
	status: 200,
	failure: null,
	startedAt,
	durationMs: 0,
	timings: {
		dnsMs: null,
		connectMs: null,
		tlsMs: null,
		headersMs: null,
		bodyMs: null,
	},
	address: null,
	retriedOnReset: false,
	responseHeaders: {},
	responseBody: "",
	retryAfterMs: null,
});
