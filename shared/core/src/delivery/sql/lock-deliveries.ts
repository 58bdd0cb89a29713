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

const CLAIMED = `
from unnest($1::bigint[], $2::bigint[]) as r(id, lease) join delivery d on d.id = r.id
where d.lease = r.lease and d.state = 'delivering'`;

/**
 * Locks the deliveries that are under way under these leases and that no other transaction holds. Returns their keys.
 */
export const lockClaimed = async (
	run: PostgresStatements,
	claimed: readonly Claim[],
): Promise<number[]> => {
	const rows = await run<{ id: number }>(
		"lock_claimed",
		`select d.id ${CLAIMED} order by d.id for no key update of d skip locked`,
		[claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
	);
	return rows.map(({ id }) => id);
};

/** Finds the deliveries that are under way under these leases. */
export const findClaimed = async (
	run: PostgresStatements,
	claimed: readonly Claim[],
): Promise<number[]> => {
	const rows = await run<{ id: number }>(
		"find_claimed",
		`select d.id ${CLAIMED}`,
		[claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
	);
	return rows.map(({ id }) => id);
};
