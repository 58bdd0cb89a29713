import { payloadKeyOf } from "@partnerwire/contract";
import { and, eq, isNull, sql } from "drizzle-orm";
import { insertNumbered, insertRow } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Emission } from "../execute/change.ts";
import type { Context } from "../execute/context.ts";

/** A larger body is recorded as failed and never sent, so that nobody finds half of one (decisions §2). */
export const MAX_PAYLOAD_BYTES = 256 * 1024;

const subscribers = defineQuery(
	"subscribers",
	({ query, tables: { integration, integrationConfiguration } }) =>
		query
			.select({
				id: integration.id,
				status: integration.status,
				onPause: integration.onPause,
				ordering: integration.ordering,
				eventIds: integration.eventIds,
				configurationId: integrationConfiguration.id,
				configurationBytes: sql<number>`octet_length(${integrationConfiguration.json})`,
			})
			.from(integration)
			.innerJoin(
				integrationConfiguration,
				eq(integrationConfiguration.id, integration.configurationId),
			)
			.where(
				and(
					eq(integration.companyUuid, sql.placeholder("companyUuid")),
					isNull(integration.deletedAt),
				),
			),
);
type Subscriber = Awaited<ReturnType<typeof subscribers>>[number];

const nextSequence = defineQuery(
	"next_sequence",
	({ query, tables: { integration } }) =>
		query
			.update(integration)
			.set({ sequence: sql`${integration.sequence} + 1` })
			.where(eq(integration.id, sql.placeholder("id")))
			.returning({ sequence: integration.sequence }),
);

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
			// One that holds the lane up comes before those that it passed.
			.orderBy(delivery.passed)
			.limit(1),
);

/** What emitting needs of an operation's context. */
export type EmissionContext = Pick<
	Context,
	"db" | "caller" | "nowMs" | "newUuid"
>;

/**
 * Writes the event and one delivery per subscribed integration, in the transaction of the change: the outbox.
 * Answers how many deliveries wait to be sent.
 */
export async function emitEvent(
	emission: Emission,
	context: EmissionContext,
): Promise<number> {
	const { db, caller, nowMs } = context;
	const all = await subscribers(db, { companyUuid: caller.companyUuid });
	const subscribed = all.filter(({ eventIds }) =>
		eventIds.includes(emission.eventId),
	);
	if (subscribed.length === 0) return 0;
	const entity = JSON.stringify(emission.entity);
	const eventRowId = await insertNumbered(db, "event", {
		uuid: context.newUuid(),
		companyUuid: caller.companyUuid,
		eventId: emission.eventId,
		userUuid: caller.userUuid,
		recordUuid: emission.recordUuid,
		entity,
		createdAt: nowMs,
	});
	const entityBytes =
		Buffer.byteLength(entity) + payloadKeyOf(emission.eventId).length;
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

/** Writes one delivery, with the integration's next number, at the end of its lane. Answers whether it waits to be sent. */
export async function addDelivery(
	subscriber: Omit<Subscriber, "eventIds">,
	event: { eventRowId: number; entityBytes: number; lane: string },
	context: Omit<EmissionContext, "caller">,
): Promise<boolean> {
	const { db, nowMs } = context;
	const integrationId = subscriber.id;
	const [counter] = await nextSequence(db, { id: integrationId });
	if (!counter)
		throw new TypeError(`integration ${integrationId} has no counter`);
	const refused = refusalOf(subscriber, event.entityBytes);
	const inOrder = subscriber.ordering === "record";
	const [before] =
		!refused && inOrder
			? await unfinishedInLane(db, { integrationId, lane: event.lane })
			: [];
	await insertRow(db, "delivery", {
		uuid: context.newUuid(),
		integrationId,
		eventRowId: event.eventRowId,
		configurationId: subscriber.configurationId,
		lane: event.lane,
		sequence: counter.sequence,
		state: refused?.state ?? "pending",
		ready: !refused && before?.passed !== false,
		outOfOrder: before?.passed === true,
		dueAt: nowMs,
		attempts: 0,
		lease: 0,
		lastError: refused?.reason ?? null,
		createdAt: nowMs,
		finishedAt: refused ? nowMs : null,
	});
	if (refused) await countSettled(db, { id: integrationId });
	return !refused;
}

const countSettled = defineQuery(
	"count_settled",
	({ query, tables: { integration } }) =>
		query
			.update(integration)
			.set({ settled: sql`${integration.settled} + 1` })
			.where(eq(integration.id, sql.placeholder("id"))),
);

function refusalOf(
	subscriber: Omit<Subscriber, "eventIds">,
	entityBytes: number,
) {
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
