import autocannon from "autocannon";
import { expect } from "./expect.ts";
import type { Contender } from "./rounds.ts";

const CONNECTIONS = 64;
/** Requests per second that the warm-up goes by. */
const FIRST_RATE = 500;

/**
 * Sends about as many requests as the server answered in that time before. A count, because a time would end with a
 * request under way on each connection, which a slow disk makes a good part of all.
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
			// A run ends with a sample, so this is how exactly its duration is known.
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
