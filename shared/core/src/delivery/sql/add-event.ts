// Writes events with their audit entries and deliveries. PostgreSQL does it in one statement, because each statement is
// a round trip over the network. On SQLite most events have one subscriber, and a statement costs microseconds.
import type { EventId } from "@partnerwire/wire";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import {
	insertNumbered,
	insertRow,
	type NewRowOf,
} from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";

/** A delivery of a new event, before it has its place in the lane. */
export interface NewDelivery {
	readonly uuid: string;
	readonly integrationId: number;
	readonly configurationId: number;
	readonly sequence: number;
	readonly state: "pending" | "failed" | "dropped";
	/** Why it will not be sent, or null. */
	readonly reason: string | null;
	readonly inOrder: boolean;
}

interface NewEvent {
	readonly uuid: string;
	readonly companyUuid: string;
	readonly eventId: EventId;
	readonly userUuid: string;
	readonly recordUuid: string;
	readonly entity: string;
	readonly createdAt: number;
}

// A delivery that holds the lane up sorts before those that the lane no longer waits for. If there is one, the new
// delivery waits; otherwise it goes, out of order. The deliveries are one JSON parameter: with arrays, whose lengths
// PostgreSQL sees, it planned the statement anew each time, for as long as it then ran.
const ADD_EVENT = `
with added as (
	insert into event (uuid, company_uuid, event_id, user_uuid, record_uuid, entity, created_at)
	values ($1::uuid, $2::uuid, $3::text, $4::uuid, $5::uuid, $6::text, $7::bigint)
	returning id
), audited as (
	insert into audit (uuid, company_uuid, entity, entity_uuid, action, actor_uuid, actor, changes, created_at)
	select $9::uuid, $2::uuid, $10::text, $11::uuid, $12::text, $4::uuid, $13::text, $14::jsonb, $7::bigint
	where $9::uuid is not null
), subscribed as materialized (
	select * from json_to_recordset($8::json) as s(
		uuid uuid, "integrationId" bigint, "configurationId" bigint, sequence bigint, state text, reason text, "inOrder" boolean
	)
), numbered as (
	update integration set sequence = sequence + 1 where id = any(array(select "integrationId" from subscribed))
)
insert into delivery (
	uuid, integration_id, event_row_id, configuration_id, lane, sequence, state, ready, out_of_order, due_at, attempts,
	lease, last_error, created_at, finished_at
)
select
	s.uuid, s."integrationId", (select id from added), s."configurationId", $5::uuid, s.sequence, s.state,
	s.state = 'pending' and coalesce(b.passed, true), coalesce(b.passed, false), $7::bigint, 0,
	0, s.reason, $7::bigint, case when s.state = 'pending' then null else $7::bigint end
from subscribed s
left join lateral (
	select d.passed from delivery d
	where s."inOrder" and s.state = 'pending' and d.integration_id = s."integrationId" and d.lane = $5::uuid
		and d.state in ('pending', 'delivering')
	order by d.passed
	limit 1
) b on true`;

/**
 * Writes an event with its audit entry and all its deliveries, each at the end of its lane. On PostgreSQL their
 * integrations must be locked, so that their sequence numbers are the next ones.
 */
export async function addEvent(
	db: Db,
	event: NewEvent,
	deliveries: readonly NewDelivery[],
	entry?: NewRowOf<"audit">,
): Promise<void> {
	if (db.postgres) {
		await db.postgres("add_event", ADD_EVENT, [
			event.uuid,
			event.companyUuid,
			event.eventId,
			event.userUuid,
			event.recordUuid,
			event.entity,
			event.createdAt,
			JSON.stringify(deliveries),
			entry?.uuid,
			entry?.entity,
			entry?.entityUuid,
			entry?.action,
			entry?.actor,
			entry && JSON.stringify(entry.changes),
		]);
		return;
	}
	if (entry) await insertRow(db, "audit", entry);
	const eventRowId = await insertNumbered(db, "event", event);
	const { recordUuid: lane, createdAt } = event;
	for (const delivery of deliveries)
		await addDelivery(db, delivery, { eventRowId, lane, createdAt });
}

const unfinishedInLane = defineQuery(
	"unfinished_in_lane",
	({ query, tables: { delivery } }) =>
		query
			.select({ passed: delivery.passed })
			.from(delivery)
			.where(
				and(
					eq(delivery.integrationId, sql.placeholder("integrationId")),
					eq(delivery.lane, sql.placeholder("lane")),
					// Spelled as in the index's own condition, without which SQLite does not use the index.
					sql`${delivery.state} in ('pending', 'delivering')`,
				),
			)
			// A delivery that holds the lane up comes before deliveries that the lane no longer waits for.
			.orderBy(delivery.passed)
			.limit(1),
);

/** Writes one delivery of an event at the end of its lane. */
export async function addDelivery(
	db: Db,
	delivery: NewDelivery,
	event: { eventRowId: number; lane: string; createdAt: number },
): Promise<void> {
	const { integrationId, state } = delivery;
	const { lane, createdAt } = event;
	const isPending = state === "pending";
	const [before] =
		isPending && delivery.inOrder
			? await unfinishedInLane(db, { integrationId, lane })
			: [];
	// Listed member by member on this hot path: V8 makes a new hidden class for each spread object.
	await insertRow(db, "delivery", {
		uuid: delivery.uuid,
		integrationId,
		eventRowId: event.eventRowId,
		configurationId: delivery.configurationId,
		lane,
		sequence: delivery.sequence,
		state,
		ready: isPending && before?.passed !== false,
		outOfOrder: before?.passed === true,
		dueAt: createdAt,
		attempts: 0,
		lease: 0,
		lastError: delivery.reason,
		createdAt,
		finishedAt: isPending ? null : createdAt,
	});
}
