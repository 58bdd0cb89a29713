import autocannon from "autocannon";
import { expect } from "./expect.ts";
import type { Contender } from "./rounds.ts";

const CONNECTIONS = 64;
/** The requests per second that the warm-up assumes. */
const FIRST_RATE = 500;

/**
 * Sends about as many requests as the server answered in that time before. It uses a count, because a time limit would end with a
 * request in flight on each connection. On a slow disk these are a large part of all.
 */
export function loading(
	request: autocannon.Options,
	onDone: (amount: number) => void,
): Contender {
	let rate = FIRST_RATE;
	return async (seconds) => {
		const amount = Math.max(2 * CONNECTIONS, Math.round(rate * seconds));
		const run = await autocannon({
			...request,
			connections: CONNECTIONS,
			amount,
			// A run ends with a sample, so this is the precision of its duration.
			sampleInt: 10,
		});
		expect(
			run["2xx"] === amount,
			`${request.url} answered ${run["2xx"]} of ${amount} requests with 2xx, ${run.non2xx} otherwise`,
		);
		onDone(amount);
		rate = amount / run.duration;
		return rate;
	};
}
