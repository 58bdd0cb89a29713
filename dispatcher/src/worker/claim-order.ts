import type { Speed } from "./known-integrations.ts";

/** The position of a claim in its order of integrations. */
export interface ClaimStep {
	/** Whether the claim prefers integrations that no other worker is serving. */
	readonly freeFirst: boolean;
	/** The integration that was claimed last, of each speed. The next claim continues after it, so that none is always last. */
	readonly last: Record<Speed, number>;
}

/** Every eighth claim considers all integrations, also those that other workers are serving. */
const PLAIN_EVERY = 8;

/**
 * Seven of eight claims prefer integrations that no other worker is serving, so that workers rarely meet. Every eighth claim considers
 * all of them; otherwise the integrations of a crashed worker would starve. Both kinds continue where their last claim ended.
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
