import type { Db, PostgresStatements } from "../../db/db.ts";
import { partition } from "../../values/partition.ts";
import {
	findClaimed,
	keyOfClaim,
	keyOfLane,
	type Lane,
	lockClaimed,
	lockNext,
} from "../sql/lock-deliveries.ts";
import {
	findFreeCompanies,
	lockFreeIntegrations,
	lockIntegrationsWithin,
} from "../sql/lock-integrations.ts";
import type { AttemptOutcome } from "./record-attempts.ts";

/** Results that can be written now, and those whose rows another transaction holds. */
export interface Locked {
	readonly now: readonly AttemptOutcome[];
	readonly later: readonly AttemptOutcome[];
}

/** The lanes of finished deliveries, each once: another delivery of them may go. */
export const lanesOf = (results: readonly AttemptOutcome[]): Lane[] => {
	const lanes = results
		.filter(({ outcome }) => outcome !== "retry")
		.map(({ delivery }) => delivery);
	return [...new Map(lanes.map((lane) => [keyOfLane(lane), lane])).values()];
};

/**
 * Locks all rows that recording these results changes. It waits at most for the integrations, and only with `waitMs`: a
 * transaction that holds one row for long must not delay results that do not need that row. Results under an old lease
 * are in neither list.
 */
export async function lockAttempted(
	db: Db,
	run: PostgresStatements,
	all: readonly AttemptOutcome[],
	/** How long to wait for an integration that another transaction holds; not at all if left out. */
	waitMs?: number,
): Promise<Locked> {
	// A statement changes a row only once: of two results of one claim, the first counts.
	const distinct = new Map(
		all.toReversed().map((result) => [keyOfClaim(result.delivery), result]),
	);
	const results = [...distinct.values()];
	const integrationIds = [
		...new Set(results.map((result) => result.delivery.integrationId)),
	];
	if (waitMs !== undefined)
		await lockIntegrationsWithin(db, integrationIds, waitMs);
	const integrations = new Set(
		waitMs === undefined
			? await lockFreeIntegrations(db, integrationIds)
			: integrationIds,
	);
	const [free, held] = partition(results, (result) =>
		integrations.has(result.delivery.integrationId),
	);
	const pausing = free.filter(({ pause }) => pause !== null);
	const companies = new Set(
		await findFreeCompanies(
			db,
			pausing.map(({ delivery }) => delivery.integrationId),
		),
	);
	const [lockable, companyHeld] = partition(
		free,
		({ delivery, pause }) =>
			pause === null || companies.has(delivery.integrationId),
	);
	const deliveries = lockable.map(({ delivery }) => delivery);
	const locked = await lockClaimed(run, deliveries);
	const [ours, others] = partition(lockable, ({ delivery }) =>
		locked.has(keyOfClaim(delivery)),
	);
	const busy =
		others.length === 0
			? new Set<string>()
			: await findClaimed(
					run,
					others.map(({ delivery }) => delivery),
				);
	const finished = ours.filter(({ outcome }) => outcome !== "retry");
	const blocked = new Set(
		finished.length === 0
			? []
			: (
					await lockNext(
						run,
						lanesOf(finished),
						finished.map(({ delivery }) => delivery.id),
					)
				).map(keyOfLane),
	);
	const [now, laneHeld] = partition(
		ours,
		(result) =>
			result.outcome === "retry" || !blocked.has(keyOfLane(result.delivery)),
	);
	const later = others.filter(({ delivery }) => busy.has(keyOfClaim(delivery)));
	return { now, later: [...held, ...companyHeld, ...later, ...laneHeld] };
}
