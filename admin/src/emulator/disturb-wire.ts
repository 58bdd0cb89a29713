import type {
	AttemptRequest,
	AttemptResult,
	Wire,
} from "@partnerwire/dispatcher";
import { decodeJwt } from "jose";
import type { Faults } from "./faults.ts";
import type { LateCopies } from "./late-copies.ts";

/**
 * Sends as a network without guarantees does: twice, or in another order. A delivery that is overtaken counts as delivered
 * at once, because the next of its record would wait for it otherwise; it is sent after the next one to its URL, or after
 * its delay.
 */
export function disturbWire(
	wire: Wire,
	late: LateCopies,
	faults: Faults,
	clock: () => number,
): Wire {
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
				eventId: eventOf(request),
			});
			if (fault?.kind === "reorder") {
				late.add(request, fault.delay_ms, () => {
					fault.lost++;
				});
				return toAcknowledged(clock());
			}
			const result = await attempt(request);
			if (fault?.kind === "duplicate") await wire.attempt(request);
			late.release(request.url);
			return result;
		},
		async close(options) {
			late.stop();
			await wire.close(options);
			await late.idle();
		},
	};
}

const eventOf = (request: AttemptRequest) =>
	"token" in request
		? decodeJwt(request.token).event_id
		: request.claims.event_id;

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
