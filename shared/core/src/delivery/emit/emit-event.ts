import { payloadKeyOf } from "@partnerwire/wire";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Emission } from "../../context/change.ts";
import type { Context } from "../../context/context.ts";
import type { Db } from "../../db/db.ts";
import { insertNumbered, insertRow } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import {
	insertEventWithDeliveries,
	type NewDelivery,
} from "../sql/emit.postgres.ts";

/** A larger body is recorded as failed and never sent: nobody should get half of one (docs/decisions.md#size). */
export const MAX_PAYLOAD_BYTES = 256 * 1024;

/** Takes the next sequence number of every integration that is subscribed to the event, in one statement. */
const numberSubscribers = defineQuery(
	"number_subscribers",
	({
		query,
		tables: { integration, integrationConfiguration: configuration },
		dialect,
	}) => {
		const configurationBytes = query
			.select({ bytes: sql`octet_length(${configuration.json})` })
			.from(configuration)
			.where(eq(configuration.id, integration.configurationId));
		return query
			.update(integration)
			.set({ sequence: sql`${integration.sequence} + 1` })
			.where(
				and(
					eq(integration.companyUuid, sql.placeholder("companyUuid")),
					isNull(integration.deletedAt),
					dialect.listIncludes(
						integration.eventIds,
						sql.placeholder("eventId"),
					),
				),
			)
			.returning({
				id: integration.id,
				sequence: integration.sequence,
				status: integration.status,
				onPause: integration.onPause,
				ordering: integration.ordering,
				configurationId: sql<number>`${integration.configurationId}`,
				configurationBytes: sql<number>`${configurationBytes}`,
			});
	},
);

/** An integration that gets a delivery, with the delivery's sequence number. */
type Subscriber = Awaited<ReturnType<typeof numberSubscribers>>[number];

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

/** The members of an operation's context that emitting needs. */
export type EmissionContext = Pick<
	Context,
	"db" | "caller" | "nowMs" | "newUuid"
>;

/**
 * Writes the event and one delivery for each subscribed integration, in the transaction of the change (the outbox
 * pattern). The company's integrations must be locked already. Returns the number of deliveries that wait to be sent.
 */
export async function emitEvent(
	emission: Emission,
	context: EmissionContext,
): Promise<number> {
	const { db, caller, nowMs } = context;
	const subscribed = await numberSubscribers(db, {
		companyUuid: caller.companyUuid,
		eventId: emission.eventId,
	});
	if (subscribed.length === 0) return 0;
	const entity = JSON.stringify(emission.entity);
	const entityBytes =
		Buffer.byteLength(entity) + payloadKeyOf(emission.eventId).length;
	const event = {
		uuid: context.newUuid(),
		companyUuid: caller.companyUuid,
		eventId: emission.eventId,
		userUuid: caller.userUuid,
		recordUuid: emission.recordUuid,
		entity,
		createdAt: nowMs,
	};
	if (db.postgres) {
		const deliveries = subscribed.map((subscriber) =>
			toDelivery(subscriber, entityBytes, context),
		);
		await insertEventWithDeliveries(db.postgres, event, deliveries);
		const notSent = deliveries.filter(({ state }) => state !== "pending");
		for (const { integrationId: id } of notSent) await countSettled(db, { id });
		return deliveries.length - notSent.length;
	}
	const eventRowId = await insertNumbered(db, "event", event);
	let waiting = 0;
	for (const subscriber of subscribed) {
		if (
			await addDelivery(
				subscriber,
				{ eventRowId, entityBytes, lane: emission.recordUuid },
				context,
			)
		)
			waiting++;
	}
	return waiting;
}

const toDelivery = (
	subscriber: Subscriber,
	entityBytes: number,
	{ newUuid }: Pick<EmissionContext, "newUuid">,
): NewDelivery => {
	const refused = refusalOf(subscriber, entityBytes);
	return {
		uuid: newUuid(),
		integrationId: subscriber.id,
		configurationId: subscriber.configurationId,
		sequence: subscriber.sequence,
		state: refused?.state ?? "pending",
		reason: refused?.reason ?? null,
		inOrder: subscriber.ordering === "record",
	};
};

/** Writes one delivery at the end of its lane. Returns whether it waits to be sent. */
export async function addDelivery(
	subscriber: Subscriber,
	event: { eventRowId: number; entityBytes: number; lane: string },
	context: Omit<EmissionContext, "caller">,
): Promise<boolean> {
	const { db, nowMs } = context;
	const delivery = toDelivery(subscriber, event.entityBytes, context);
	const { integrationId } = delivery;
	const isOver = delivery.state !== "pending";
	const [before] =
		!isOver && delivery.inOrder
			? await unfinishedInLane(db, { integrationId, lane: event.lane })
			: [];
	// Listed member by member on this hot path: V8 makes a new hidden class for each spread object.
	await insertRow(db, "delivery", {
		uuid: delivery.uuid,
		integrationId,
		eventRowId: event.eventRowId,
		configurationId: delivery.configurationId,
		lane: event.lane,
		sequence: delivery.sequence,
		state: delivery.state,
		ready: !isOver && before?.passed !== false,
		outOfOrder: before?.passed === true,
		dueAt: nowMs,
		attempts: 0,
		lease: 0,
		lastError: delivery.reason,
		createdAt: nowMs,
		finishedAt: isOver ? nowMs : null,
	});
	if (isOver) await countSettled(db, { id: integrationId });
	return !isOver;
}

const nextSequence = defineQuery(
	"next_sequence",
	({ query, tables: { integration } }) =>
		query
			.update(integration)
			.set({ sequence: sql`${integration.sequence} + 1` })
			.where(eq(integration.id, sql.placeholder("id")))
			.returning({ sequence: integration.sequence }),
);

/** Takes the next sequence number of one integration. Numbers have no gaps. */
export async function takeSequence(db: Db, id: number): Promise<number> {
	const [counter] = await nextSequence(db, { id });
	if (!counter) throw new TypeError(`integration ${id} has no counter`);
	return counter.sequence;
}

const countSettled = defineQuery(
	"count_settled",
	({ query, tables: { integration } }) =>
		query
			.update(integration)
			.set({ settled: sql`${integration.settled} + 1` })
			.where(eq(integration.id, sql.placeholder("id"))),
);

function refusalOf(subscriber: Subscriber, entityBytes: number) {
	const bytes = entityBytes + subscriber.configurationBytes;
	if (bytes > MAX_PAYLOAD_BYTES) {
		const reason = `the payload has about ${bytes} bytes, more than the ${MAX_PAYLOAD_BYTES} that are sent`;
		return { state: "failed", reason } as const;
	}
	if (subscriber.status === "paused" && subscriber.onPause === "drop") {
		return {
			state: "dropped",
			reason: "the integration was paused and drops what happens meanwhile",
		} as const;
	}
	return null;
}
