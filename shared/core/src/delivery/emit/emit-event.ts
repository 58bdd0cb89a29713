import { type EventId, payloadKeyOf } from "@partnerwire/wire";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Emission } from "../../context/change.ts";
import type { Context } from "../../context/context.ts";
import type { Db } from "../../db/db.ts";
import { insertRow, type NewRowOf } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import { addEvent, type NewDelivery } from "../sql/add-event.ts";
import { lockIntegrationsOf } from "../sql/lock-integrations.ts";

/** A larger body is recorded as failed and never sent: nobody should get half of one (docs/decisions.md#size). */
export const MAX_PAYLOAD_BYTES = 256 * 1024;

/** On SQLite: takes the next sequence number of every integration that is subscribed to the event, in one statement. */
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

/** The members of an operation's context that emitting needs. */
type EmissionContext = Pick<
	Context,
	"db" | "caller" | "nowMs" | "newUuid" | "standing"
>;

/**
 * Locks the company's integrations on PostgreSQL, unless the operation did when it began. They are locked before the
 * audit log's counter, in the same order as by a worker that pauses an integration.
 */
export async function startEmitting(
	context: EmissionContext,
): Promise<EmissionContext> {
	const { db, caller, standing } = context;
	if (!db.postgres || standing?.integrations) return context;
	const integrations = await lockIntegrationsOf(
		db.postgres,
		caller.companyUuid,
	);
	const none = { fieldsVersion: null, defaultCountry: null };
	return { ...context, standing: { ...none, ...standing, integrations } };
}

/** Takes the next sequence number of every subscriber. On PostgreSQL, `addEvent` stores the numbers. */
async function takeNumbers(
	eventId: EventId,
	{ db, caller, standing }: EmissionContext,
): Promise<Subscriber[]> {
	if (!db.postgres)
		return numberSubscribers(db, { companyUuid: caller.companyUuid, eventId });
	const subscribed = (standing?.integrations ?? []).filter(({ eventIds }) =>
		eventIds.includes(eventId),
	);
	for (const integration of subscribed) integration.sequence++;
	return subscribed;
}

/**
 * Writes the event and one delivery for each subscribed integration, in the transaction of the change (the outbox
 * pattern), with the change's audit entry. The context must come from `startEmitting`. Returns the number of deliveries
 * that wait to be sent.
 */
export async function emitEvent(
	emission: Emission,
	context: EmissionContext,
	entry?: NewRowOf<"audit">,
): Promise<number> {
	const { db, caller, nowMs } = context;
	const subscribed = await takeNumbers(emission.eventId, context);
	if (subscribed.length === 0) {
		if (entry) await insertRow(db, "audit", entry);
		return 0;
	}
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
	const deliveries = subscribed.map((subscriber) =>
		toDelivery(subscriber, entityBytes, context.newUuid()),
	);
	await addEvent(db, event, deliveries, entry);
	const refused = deliveries.filter(({ state }) => state !== "pending");
	for (const { integrationId } of refused)
		await addToFinished(db, integrationId, 1);
	return deliveries.length - refused.length;
}

/** A new delivery for a subscriber, and the reason if it is not sent. */
export const toDelivery = (
	subscriber: Subscriber,
	entityBytes: number,
	uuid: string,
): NewDelivery => {
	const refusal = refusalOf(subscriber, entityBytes);
	return {
		uuid,
		integrationId: subscriber.id,
		configurationId: subscriber.configurationId,
		sequence: subscriber.sequence,
		state: refusal?.state ?? "pending",
		reason: refusal?.reason ?? null,
		inOrder: subscriber.ordering === "record",
	};
};

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

const moveFinished = defineQuery(
	"add_to_finished",
	({ query, tables: { integration } }) =>
		query
			.update(integration)
			.set({
				settled: sql`${integration.settled} + ${sql.placeholder("by")}`,
			})
			.where(eq(integration.id, sql.placeholder("id"))),
);

/** Moves the counter of finished deliveries. The number of unfinished ones is the sequence minus this counter. */
export const addToFinished = (
	db: Db,
	integrationId: number,
	by: number,
): Promise<unknown> => moveFinished(db, { id: integrationId, by });

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
