import type { Speed } from "./fair-scheduler.ts";

/** One claim's place in its round. */
export interface ClaimStep {
	/** Whether the claim begins with integrations of which no other worker has any. */
	readonly freeFirst: boolean;
	/** The integration that was claimed for last, of each pace: going round, nobody is always last. */
	readonly last: Record<Speed, number>;
}

/** One claim of so many begins wherever it is in its round, also with what other workers are at. */
const PLAIN_EVERY = 8;

/**
 * Claims in two rounds, each of which goes on where it was: most begin with what no other worker has, and now and then one does
 * not, so that integrations of a worker that comes to nothing are not left to it.
 */
export function createClaimOrder(): { next(): ClaimStep } {
	const newRound = (freeFirst: boolean): ClaimStep => ({
		freeFirst,
		last: { quick: 0, unknown: 0, slow: 0 },
	});
	const freeFirst = newRound(true);
	const plain = newRound(false);
	let claims = 0;
	return {
		next: () => (++claims % PLAIN_EVERY === 0 ? plain : freeFirst),
	};
}
