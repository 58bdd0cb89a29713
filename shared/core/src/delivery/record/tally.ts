import type { AttemptOutcome } from "./record-attempts.ts";
import type { Tally } from "./rollup.ts";

/** Adds a result to the tally of its integration. */
export function countResult(
	tallies: Map<number, Tally>,
	{ delivery, outcome, attempt }: AttemptOutcome,
): void {
	const { id } = delivery.integration;
	const tally = tallies.get(id) ?? {
		delivered: 0,
		failed: 0,
		finished: 0,
		lastError: null,
	};
	const delivered = outcome === "delivered";
	tallies.set(id, {
		delivered: tally.delivered + (delivered ? 1 : 0),
		failed: tally.failed + (delivered ? 0 : 1),
		finished: tally.finished + (outcome === "retry" ? 0 : 1),
		lastError: delivered ? tally.lastError : (attempt.message ?? null),
	});
}
