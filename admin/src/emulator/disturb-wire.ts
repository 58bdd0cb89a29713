import type {
	AttemptRequest,
	AttemptResult,
	Wire,
} from "@partnerwire/dispatcher";
import { decodeJwt } from "jose";
import type { Faults } from "./faults.ts";
import type { LateCopies } from "./late-copies.ts";

/**
 * Wraps a wire so that it sends like an unreliable network: twice, or in another order. A delivery that is to be overtaken
 * counts as delivered at once, because the next one of its record would wait for it. It is sent after the next delivery to
 * its URL, or after its delay.
 */
export function disturbWire(
	wire: Wire,
	late: LateCopies,
	faults: Faults,
	clock: () => number,
): Wire {
	/** Takes times from the emulator's clock. While it is frozen, attempts take no time and their results are reproducible. */
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

const toNothing = (timings: AttemptResult["timings"]) => ({
	dnsMs: timings.dnsMs && 0,
	connectMs: timings.connectMs && 0,
	tlsMs: timings.tlsMs && 0,
	headersMs: timings.headersMs && 0,
	bodyMs: timings.bodyMs && 0,
});

/** The recorded result of a delivery that is still to be sent. */
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
