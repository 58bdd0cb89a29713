// Locks of deliveries and of the next in their lanes, on PostgreSQL. Rows that another transaction holds are left out.
import type { PostgresStatements } from "../../db/db.ts";

/** A lane: the deliveries of one record to one integration. */
export interface Lane {
	readonly integrationId: number;
	readonly lane: string;
}

export const keyOfLane = ({ integrationId, lane }: Lane): string =>
	`${integrationId} ${lane}`;

const LOCK_NEXT = `
with next as materialized (
	select l.integration_id, l.lane, h.id
	from unnest($1::bigint[], $2::uuid[]) as l(integration_id, lane)
	cross join lateral (
		select f.id, f.ready from delivery f
		where f.integration_id = l.integration_id and f.lane = l.lane and f.state in ('pending', 'delivering')
			and not f.passed and f.id <> all($3::bigint[])
		order by f.sequence
		limit 1
	) h
	where not h.ready
), locked as materialized (
	select d.id from next join delivery d on d.id = next.id order by d.id for no key update of d skip locked
)
select integration_id as "integrationId", lane from next where id not in (select id from locked)`;

/**
 * Locks the delivery that comes next in each lane once those in `over` are finished. Returns the lanes whose next
 * delivery another transaction holds.
 */
export const lockNext = (
	run: PostgresStatements,
	lanes: readonly Lane[],
	over: readonly number[],
): Promise<Lane[]> =>
	run("lock_next", LOCK_NEXT, [
		lanes.map(({ integrationId }) => integrationId),
		lanes.map(({ lane }) => lane),
		over,
	]);

/** Locks the deliveries that no other transaction holds. Returns their keys. */
export const lockFreeDeliveries = async (
	run: PostgresStatements,
	ids: readonly number[],
): Promise<number[]> => {
	const rows = await run<{ id: number }>(
		"lock_free_deliveries",
		"select id from delivery where id = any($1::bigint[]) order by id for no key update skip locked",
		[ids],
	);
	return rows.map(({ id }) => id);
};

/** A claim is known by its delivery and lease. */
interface Claim {
	readonly id: number;
	readonly lease: number;
}

export const keyOfClaim = ({ id, lease }: Claim): string => `${id} ${lease}`;

// By key alone. With the lease and the state in the condition, PostgreSQL expects few deliveries under way and compares
// each of them, of all workers, with each of these.
const selectClaimed = (lock: string) =>
	`select id, lease, state from delivery where id = any($1::bigint[]) order by id ${lock}`;

/** Keys of the claims (`keyOfClaim`) that still hold: their delivery is under way under their lease. */
async function findHolding(
	run: PostgresStatements,
	claims: readonly Claim[],
	{ name, lock }: { name: string; lock: string },
): Promise<Set<string>> {
	const ids = claims.map(({ id }) => id);
	const rows = await run<Claim & { state: string }>(name, selectClaimed(lock), [
		ids,
	]);
	const underWay = rows.filter(({ state }) => state === "delivering");
	return new Set(underWay.map(keyOfClaim));
}

/** Locks the deliveries of claims that no other transaction holds. Returns the claims among them that still hold. */
export const lockClaimed = (
	run: PostgresStatements,
	claims: readonly Claim[],
): Promise<Set<string>> =>
	findHolding(run, claims, {
		name: "lock_claimed",
		lock: "for no key update skip locked",
	});

/** Finds the claims that still hold. */
export const findClaimed = (
	run: PostgresStatements,
	claims: readonly Claim[],
): Promise<Set<string>> =>
	findHolding(run, claims, { name: "find_claimed", lock: "" });
