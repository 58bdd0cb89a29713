import type { PostgresStatements } from "../../db/db.ts";

// `lateral` with `offset 0` checks integrations one by one, in the order of the steps, so no more steps are taken than
// the limit needs.
const DUE = `
with recursive waiting as (
	(
		select integration_id, due_at from delivery
		where ready and state = 'pending' and integration_id > $1::bigint
		order by integration_id, due_at limit 1
	)
	union all
	select n.integration_id, n.due_at from waiting w cross join lateral (
		select d.integration_id, d.due_at from delivery d
		where d.ready and d.state = 'pending' and d.integration_id > w.integration_id and d.integration_id <= $2::bigint
		order by d.integration_id, d.due_at limit 1
	) n
)
select w.integration_id as id
from waiting w
cross join lateral (
	select from integration i
	where i.id = w.integration_id and i.status = 'active' and i.deleted_at is null
		and (i.relaned_to is null or i.ordering = 'none')
	offset 0
) i
where w.integration_id <= $2::bigint and w.due_at <= $3::bigint
limit $4::int`;

/**
 * Finds the keys of active integrations that have a due head, between two keys and in order. One statement steps
 * through the index of waiting heads, as `due-integrations.ts` does with one statement for each step.
 */
export const findDue = async (
	run: PostgresStatements,
	{
		after,
		to,
		nowMs,
		most,
	}: { after: number; to: number; nowMs: number; most: number },
): Promise<number[]> => {
	const rows = await run<{ id: number }>("find_due", DUE, [
		after,
		to,
		nowMs,
		most,
	]);
	return rows.map(({ id }) => id);
};

/**
 * Counts the deliveries under way of integrations, over all workers. It reads the index of leases, which holds no other
 * rows.
 */
export const countUnderWay = (
	run: PostgresStatements,
	ids: readonly number[],
): Promise<{ id: number; total: number }[]> =>
	run(
		"count_under_way",
		`select integration_id as id, count(*) as total from delivery
		where state = 'delivering' and lease_until > 0 and integration_id = any($1::bigint[]) group by integration_id`,
		[ids],
	);

/** A claimed head as the statement returns it. */
export interface TakenHead {
	readonly id: number;
	readonly uuid: string;
	readonly integration_id: number;
	readonly lane: string;
	readonly sequence: number;
	readonly attempts: number;
	readonly attempts_before: number;
	readonly lease: number;
	readonly event_id: string;
	readonly user_uuid: string;
	readonly entity: string;
	readonly configuration: string;
}

// The keys as an array: for a join, the planner expects a tenth of all waiting rows and reads both tables completely.
const TAKE = `
with heads as materialized (
	select h.id from unnest($1::bigint[], $2::int[]) as w(integration_id, most)
	cross join lateral (
		select d.id from delivery d
		where d.integration_id = w.integration_id and d.ready and d.state = 'pending' and d.due_at <= $3::bigint
		order by d.due_at limit w.most
		for update skip locked
	) h
), taken as (
	update delivery d set
		state = 'delivering',
		lease = d.lease + 1,
		lease_until = (extract(epoch from clock_timestamp()) * 1000)::bigint + $4::bigint
	where d.id = any(array(select id from heads))
	returning d.id, d.uuid, d.integration_id, d.lane, d.sequence, d.attempts, d.attempts_before, d.lease, d.due_at,
		d.event_row_id, d.configuration_id
)
select t.id, t.uuid, t.integration_id, t.lane, t.sequence, t.attempts, t.attempts_before, t.lease,
	e.event_id, e.user_uuid, e.entity, c.json as configuration
from taken t
join event e on e.id = t.event_row_id
join integration_configuration c on c.id = t.configuration_id
order by t.integration_id, t.due_at, t.sequence`;

/** Claims due heads: of each integration at most the number in `wanted`. */
export const takeHeads = (
	run: PostgresStatements,
	wanted: ReadonlyMap<number, number>,
	{ nowMs, leaseMs }: { nowMs: number; leaseMs: number },
): Promise<TakenHead[]> =>
	run("take_heads", TAKE, [
		[...wanted.keys()],
		[...wanted.values()],
		nowMs,
		leaseMs,
	]);
