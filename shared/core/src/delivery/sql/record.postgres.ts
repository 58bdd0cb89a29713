import type { PostgresStatements } from "../../db/db.ts";
import type { DueRule } from "../../db/tables/webhooks.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";

/** A delivery's new state after an attempt, taken only under its newest lease. */
export interface Finish {
	readonly id: number;
	readonly lease: number;
	readonly state: string;
	/** Whether its attempts are over. */
	readonly over: boolean;
	readonly due_at: number;
	readonly due_rule: DueRule | null;
	readonly pass_at: number | null;
	readonly last_error: string | null;
	readonly finished_at: number | null;
}

const CLAIMED = `
from unnest($1::bigint[], $2::bigint[]) as r(id, lease) join delivery d on d.id = r.id
where d.lease = r.lease and d.state = 'delivering'`;

/**
 * Locks the deliveries that are under way under these leases and that no other transaction holds. Returns their keys.
 */
export const lockClaimed = async (
	run: PostgresStatements,
	claimed: readonly { id: number; lease: number }[],
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
	claimed: readonly { id: number; lease: number }[],
): Promise<number[]> => {
	const rows = await run<{ id: number }>(
		"find_claimed",
		`select d.id ${CLAIMED}`,
		[claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
	);
	return rows.map(({ id }) => id);
};

/** Requeues deliveries untried. Those that another transaction holds become pending when their lease ends. */
export const returnAll = (
	run: PostgresStatements,
	claimed: readonly { id: number; lease: number }[],
): Promise<unknown> =>
	run(
		"return_all",
		`with locked as materialized (select d.id ${CLAIMED} order by d.id for no key update of d skip locked)
		update delivery d set state = 'pending', lease_until = null from locked where d.id = locked.id`,
		[claimed.map(({ id }) => id), claimed.map(({ lease }) => lease)],
	);

/** Makes deliveries pending whose lease has ended, except those that another transaction holds. */
export const reclaimAll = (run: PostgresStatements): Promise<unknown> =>
	run(
		"reclaim_all",
		`with ended as materialized (
			select id from delivery
			where state = 'delivering' and lease_until < (extract(epoch from clock_timestamp()) * 1000)::bigint
			for no key update skip locked
		)
		update delivery d set state = 'pending', lease_until = null from ended where d.id = ended.id`,
		[],
	);

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

const FINISH = `
update delivery d set
	state = r.state,
	ready = d.ready and not r.over,
	due_at = r.due_at,
	due_rule = r.due_rule,
	pass_at = case when d.passed then null else coalesce(d.pass_at, r.pass_at) end,
	attempts = d.attempts + 1,
	lease_until = null,
	last_error = r.last_error,
	finished_at = r.finished_at
from json_to_recordset($1::json) as r(
	id bigint, lease bigint, state text, over boolean, due_at bigint, due_rule text, pass_at bigint, last_error text,
	finished_at bigint
)
where d.id = r.id and d.lease = r.lease and d.state = 'delivering'
returning d.id, d.lease, d.attempts`;

/** Writes the new states. Returns the deliveries that were still this worker's, with the number of their attempt. */
export const finishAll = (
	run: PostgresStatements,
	finished: readonly Finish[],
): Promise<{ id: number; lease: number; attempts: number }[]> =>
	run("finish_all", FINISH, [JSON.stringify(finished)]);

const ADD_ATTEMPTS = `
insert into attempt (
	delivery_id, number, started_at, duration_ms, status, failure_class, failure_stage, failure_code, message, address,
	timings, retried_on_reset, response_headers, response_body
)
select
	"deliveryId", number, "startedAt", "durationMs", status, "failureClass", "failureStage", "failureCode", message, address,
	timings, "retriedOnReset", "responseHeaders", "responseBody"
from json_to_recordset($1::json) as r(
	"deliveryId" bigint, number bigint, "startedAt" bigint, "durationMs" bigint, status bigint, "failureClass" text,
	"failureStage" text, "failureCode" text, message text, address text, timings jsonb, "retriedOnReset" boolean,
	"responseHeaders" jsonb, "responseBody" text
)`;

/** Inserts attempts, whose members are named as in the table's definition. */
export const addAttempts = (
	run: PostgresStatements,
	attempts: readonly object[],
): Promise<unknown> =>
	run("add_attempts", ADD_ATTEMPTS, [JSON.stringify(attempts)]);

const PROMOTE = `
update delivery d set ready = true, out_of_order = d.out_of_order or h.is_late
from unnest($1::bigint[], $2::uuid[]) as l(integration_id, lane)
cross join lateral (
	select f.id, f.ready, exists (
		select 1 from delivery e
		where e.integration_id = l.integration_id and e.lane = l.lane and e.state in ('pending', 'delivering')
			and e.passed and e.sequence < f.sequence
	) as is_late
	from delivery f
	where f.integration_id = l.integration_id and f.lane = l.lane and f.state in ('pending', 'delivering') and not f.passed
	order by f.sequence
	limit 1
) h
where d.id = h.id and not h.ready`;

/** Makes the heads of lanes ready, as `promoteNext` does for one. */
export const promoteAll = (
	run: PostgresStatements,
	lanes: readonly Lane[],
): Promise<unknown> =>
	run("promote_all", PROMOTE, [
		lanes.map(({ integrationId }) => integrationId),
		lanes.map(({ lane }) => lane),
	]);

/** The counts that a batch of results adds to one integration. */
export interface Added {
	readonly integration_id: number;
	readonly delivered: number;
	readonly failed: number;
	readonly finished: number;
	readonly last_error: string | null;
}

const TALLIES = `json_to_recordset($1::json) as r(
	integration_id bigint, delivered bigint, failed bigint, finished bigint, last_error text
)`;

const ADD_HOURS = `
insert into delivery_rollup (integration_id, hour_at, delivered, failed)
select integration_id, $2::bigint, delivered, failed from ${TALLIES} order by integration_id
on conflict (integration_id, hour_at) do update set
	delivered = delivery_rollup.delivered + excluded.delivered,
	failed = delivery_rollup.failed + excluded.failed`;

const ADD_TOTALS = `
update integration i set
	settled = i.settled + r.finished,
	last_success_at = case
		when r.delivered = 0 then i.last_success_at
		when i.last_failure_at - $2::bigint between 0 and ${CLOCK_SKEW_MS} then i.last_failure_at + 1
		else $2::bigint
	end,
	last_failure_at = case
		when r.failed = 0 or i.last_failure_at - $2::bigint between 0 and ${CLOCK_SKEW_MS} then i.last_failure_at
		else $2::bigint
	end,
	last_error = case when r.failed > 0 then r.last_error else i.last_error end,
	failing_since = case
		when r.failed = 0 then null
		when r.delivered > 0 then $2::bigint
		else coalesce(i.failing_since, $2::bigint)
	end
from ${TALLIES}
where i.id = r.integration_id
returning i.id, i.failing_since`;

/**
 * Adds tallies to the hour's rollups and the integrations' counters. Returns since when each integration has only
 * failed.
 */
export async function addToRollups(
	run: PostgresStatements,
	added: readonly Added[],
	hourAt: number,
	nowMs: number,
): Promise<{ id: number; failing_since: number | null }[]> {
	const json = JSON.stringify(added);
	await run("add_hours", ADD_HOURS, [json, hourAt]);
	return run("add_totals", ADD_TOTALS, [json, nowMs]);
}
