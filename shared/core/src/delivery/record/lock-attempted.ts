import type { Db, PostgresStatements } from "../../db/db.ts";
import { partition } from "../../values/partition.ts";
import {
	findFreeCompanies,
	lockFreeIntegrations,
	lockIntegrationsWithin,
} from "../sql/lock-integrations.ts";
import {
	findClaimed,
	keyOfLane,
	type Lane,
	lockClaimed,
	lockNext,
} from "../sql/record.postgres.ts";
import type { AttemptOutcome } from "./record-attempts.ts";

/** Results that can be written now, and those whose rows another transaction holds. */
export interface Locked {
	readonly now: readonly AttemptOutcome[];
	readonly later: readonly AttemptOutcome[];
}

const laneOf = ({ delivery }: AttemptOutcome): Lane => ({
	integrationId: delivery.integration.id,
	lane: delivery.lane,
});

/** The lanes of the results after which another delivery of the lane may go, each once. */
export const lanesOf = (results: readonly AttemptOutcome[]): Lane[] => {
	const lanes = results
		.filter(({ outcome }) => outcome !== "retry")
		.map(laneOf);
	return [...new Map(lanes.map((lane) => [keyOfLane(lane), lane])).values()];
};

/**
 * Locks all rows that settling these results changes, and waits for none but the integrations', if at all: a transaction
 * that holds a single row for long must not hold up what has nothing to do with it. Results under an old lease are neither.
 */
export async function lockAttempted(
	db: Db,
	run: PostgresStatements,
	settled: readonly AttemptOutcome[],
	/** How long to wait for an integration that another transaction holds; without it not at all. */
	waitMs?: number,
): Promise<Locked> {
	const wanted = [
		...new Set(settled.map((one) => one.delivery.integration.id)),
	];
	if (waitMs !== undefined) await lockIntegrationsWithin(db, wanted, waitMs);
	const integrations = new Set(
		waitMs === undefined ? await lockFreeIntegrations(db, wanted) : wanted,
	);
	const [free, held] = partition(settled, (one) =>
		integrations.has(one.delivery.integration.id),
	);
	const pausing = free.filter(({ pause }) => pause !== null);
	const companies = new Set(
		await findFreeCompanies(
			db,
			pausing.map(({ delivery }) => delivery.integration.id),
		),
	);
	const [able, unable] = partition(
		free,
		({ delivery, pause }) =>
			pause === null || companies.has(delivery.integration.id),
	);
	const deliveries = able.map(({ delivery }) => delivery);
	const locked = new Set(await lockClaimed(run, deliveries));
	const [ours, others] = partition(able, ({ delivery }) =>
		locked.has(delivery.id),
	);
	const busy = new Set(
		others.length === 0
			? []
			: await findClaimed(
					run,
					others.map(({ delivery }) => delivery),
				),
	);
	const over = ours.filter(({ outcome }) => outcome !== "retry");
	const blocked = new Set(
		over.length === 0
			? []
			: (
					await lockNext(
						run,
						lanesOf(over),
						over.map(({ delivery }) => delivery.id),
					)
				).map(keyOfLane),
	);
	const [now, behind] = partition(
		ours,
		(one) => one.outcome === "retry" || !blocked.has(keyOfLane(laneOf(one))),
	);
	const later = others.filter(({ delivery }) => busy.has(delivery.id));
	return { now, later: [...held, ...unable, ...later, ...behind] };
}
