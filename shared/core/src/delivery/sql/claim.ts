// The statements of claims. PostgreSQL finds integrations, and takes the heads of all of them, in one statement each,
// because each statement is a round trip over the network. That needs a recursive query with lateral joins, and locks,
// which SQLite does not have. There a statement costs microseconds. On PostgreSQL they are planned for their values: with
// plans for any values, two workers delivered a tenth less.
import { and, asc, eq, sql } from "drizzle-orm";
import type { Db, PostgresStatements } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { maySend } from "./may-send.ts";

/** Finds the next integration by key with waiting lane heads, when the first of them is due, and whether it may send. */
export const findNextWaiting = defineQuery(
	"next_waiting",
	({ query, tables: { delivery, integration } }) => {
		const isActive = query
			.select({ isActive: maySend(integration) })
			.from(integration)
			.where(eq(integration.id, delivery.integrationId));
		return query
			.select({
				id: delivery.integrationId,
				dueAt: delivery.dueAt,
				isActive: sql<boolean>`${isActive}`.mapWith(Boolean),
			})
			.from(delivery)
			.where(
				and(
					// Spelled as in the partial index, without which SQLite does not use it.
					sql`${delivery.ready} and ${delivery.state} = 'pending'`,
					sql`${delivery.integrationId} > ${sql.placeholder("after")}`,
				),
			)
			.orderBy(asc(delivery.integrationId), asc(delivery.dueAt))
			.limit(1);
	},
);

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
 * through the index of waiting heads, as `findNextWaiting` does with one statement for each step.
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
	const rows = await run<{ id: number }>(null, DUE, [after, to, nowMs, most]);
	return rows.map(({ id }) => id);
};

/**
 * Counts the deliveries under way of integrations, over all workers, on PostgreSQL. It reads the index of leases, which
 * holds no other rows.
 */
export const countUnderWay = (
	run: PostgresStatements,
	ids: readonly number[],
): Promise<{ id: number; total: number }[]> =>
	run(
		null,
		`select integration_id as id, count(*) as total from delivery
		where state = 'delivering' and lease_until > 0 and integration_id = any($1::bigint[]) group by integration_id`,
		[ids],
	);

// The conditions on `state` and `ready` are spelled as in the partial indexes, without which SQLite does not use them.
const dueHeads = defineQuery(
	"due_heads",
	({
		query,
		tables: { delivery, event, integrationConfiguration: configuration },
	}) =>
		query
			.select({
				id: delivery.id,
				uuid: delivery.uuid,
				integrationId: delivery.integrationId,
				lane: delivery.lane,
				sequence: delivery.sequence,
				// The number of attempts before this one, and how many of those belong to earlier rounds of the retry schedule.
				attempts: delivery.attempts,
				attemptsBefore: delivery.attemptsBefore,
				// The fencing token: a result is written only under it.
				lease: sql<number>`${delivery.lease} + 1`,
				eventId: event.eventId,
				userUuid: event.userUuid,
				entity: event.entity,
				configuration: configuration.json,
			})
			.from(delivery)
			.innerJoin(event, eq(event.id, delivery.eventRowId))
			.innerJoin(configuration, eq(configuration.id, delivery.configurationId))
			.where(
				and(
					eq(delivery.integrationId, sql.placeholder("integrationId")),
					sql`${delivery.ready} and ${delivery.state} = 'pending'`,
					sql`${delivery.dueAt} <= ${sql.placeholder("nowMs")}`,
				),
			)
			.orderBy(delivery.dueAt, delivery.id)
			// An expression: with a bare parameter here, SQLite prepares the statement again for each execution.
			.limit(sql`${sql.placeholder("limit")} + 0` as unknown as number),
);

/** A due head, with everything that an attempt needs of its delivery. */
export type Head = Awaited<ReturnType<typeof dueHeads>>[number];

const take = defineQuery(
	"take_deliveries",
	({ query, tables: { delivery }, dialect }) =>
		query
			.update(delivery)
			.set({
				state: "delivering",
				lease: sql`${delivery.lease} + 1`,
				leaseUntil: sql`${dialect.now()} + ${sql.placeholder("leaseMs")}`,
				workerId: sql`${sql.placeholder("workerId")}`,
			})
			.where(
				and(
					dialect.isAmong(delivery.id, sql.placeholder("ids")),
					eq(delivery.state, "pending"),
				),
			),
);

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
		lease_until = (extract(epoch from clock_timestamp()) * 1000)::bigint + $4::bigint,
		worker_id = $5::bigint
	where d.id = any(array(select id from heads))
	returning d.id, d.uuid, d.integration_id, d.lane, d.sequence, d.attempts, d.attempts_before, d.lease, d.due_at,
		d.event_row_id, d.configuration_id
)
select t.id, t.uuid, t.integration_id as "integrationId", t.lane, t.sequence, t.attempts,
	t.attempts_before as "attemptsBefore", t.lease, e.event_id as "eventId", e.user_uuid as "userUuid", e.entity,
	c.json as configuration
from taken t
join event e on e.id = t.event_row_id
join integration_configuration c on c.id = t.configuration_id
order by t.integration_id, t.due_at, t.sequence`;

interface TakeOptions {
	readonly nowMs: number;
	readonly leaseMs: number;
	readonly workerId?: number | null;
}

/** Takes due heads: of each integration at most the number in `wanted`. */
export async function takeHeads(
	db: Db,
	wanted: ReadonlyMap<number, number>,
	{ nowMs, leaseMs, workerId = null }: TakeOptions,
): Promise<Head[]> {
	if (db.postgres)
		return db.postgres(null, TAKE, [
			[...wanted.keys()],
			[...wanted.values()],
			nowMs,
			leaseMs,
			workerId,
		]);
	const heads: Head[] = [];
	for (const [integrationId, limit] of wanted)
		heads.push(...(await dueHeads(db, { integrationId, nowMs, limit })));
	const ids = db.dialect.toList(heads.map(({ id }) => id));
	if (heads.length > 0) await take(db, { ids, leaseMs, workerId });
	return heads;
}
