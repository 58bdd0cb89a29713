import type { Tally } from "../sql/record.ts";
import type { AttemptOutcome } from "./record-attempts.ts";

/** Counts results by integration. */
export function countResults(results: readonly AttemptOutcome[]): Tally[] {
	const tallies = new Map<number, Tally>();
	for (const { delivery, outcome, attempt } of results) {
		const { integrationId } = delivery;
		const tally = tallies.get(integrationId) ?? {
			integrationId,
			delivered: 0,
			failed: 0,
			finished: 0,
			lastError: null,
		};
		if (outcome !== "retry") tally.finished++;
		if (outcome === "delivered") tally.delivered++;
		else {
			tally.failed++;
			tally.lastError = attempt.message ?? null;
		}
		tallies.set(integrationId, tally);
	}
	return [...tallies.values()];
}
