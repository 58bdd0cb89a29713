import { ApiError, type WebhookEvent } from "@partnerwire/contract";
import { eq, sql } from "drizzle-orm";
import type { RowOf } from "../../db/insert-row.ts";
import type { Context } from "../../execute/context.ts";
import type { Outcome } from "../../execute/handlers.ts";
import {
	addDelivery,
	MAX_PAYLOAD_BYTES,
	takeSequence,
} from "../../outbox/emit-event.ts";
import { promoteNext } from "../../queue/promote-next.ts";
import { placeInLane } from "./place-in-lane.ts";
import {
	readWebhookEvent,
	toWebhookEvent,
	type WebhookEventRow,
} from "./webhook-event-view.ts";

/**
 * Delivers once more, now: the same delivery (its `jti` and bytes) on a new round of the retry schedule, or with `fresh` a
 * new one at the end of its lane (decisions §2: redelivery).
 */
export async function redeliver(
	uuid: string,
	fresh: boolean,
	context: Context,
): Promise<Outcome<WebhookEvent>> {
	const found = await readWebhookEvent(uuid, context);
	const { row, integration } = found;
	if (integration.deletedAt !== null)
		throw conflict("its integration was deleted");
	const size = await readSize(row, context);
	if (size.entity + size.configuration > MAX_PAYLOAD_BYTES)
		throw conflict(
			`its payload has more than the ${MAX_PAYLOAD_BYTES} bytes that are sent`,
		);
	if (fresh) return addFresh(found, size, context);
	if (row.state === "delivering") throw conflict("an attempt is under way");
	if (row.state === "pending" && !row.ready)
		throw conflict(
			"it waits for an earlier delivery of the same record: skip that one, or deliver it",
		);
	const columns =
		row.state === "pending"
			? { dueAt: context.nowMs, dueRule: null }
			: await reopen(found, context);
	return change(found, columns, "redelivered", context);
}

/** Gives a pending delivery up, so that the next of its record goes (decisions §2: order). */
export async function skip(
	uuid: string,
	context: Context,
): Promise<Outcome<WebhookEvent>> {
	const found = await readWebhookEvent(uuid, context);
	const { row } = found;
	if (row.state === "delivering") throw conflict("an attempt is under way");
	if (row.state !== "pending") throw conflict(`it is ${row.state} already`);
	const outcome = await change(
		found,
		{
			state: "dropped",
			ready: false,
			passAt: null,
			lastError: "it was skipped by hand",
			finishedAt: context.nowMs,
		},
		"skipped",
		context,
	);
	await addToSettled(row.integrationId, 1, context);
	await promoteNext(context.db, {
		integrationId: row.integrationId,
		lane: row.lane,
	});
	return outcome;
}

const conflict = (reason: string) =>
	new ApiError("conflict", `the webhook event cannot be changed: ${reason}`);

/** A finished delivery is pending again. */
async function reopen(
	found: WebhookEventRow,
	context: Context,
): Promise<Partial<RowOf<"delivery">>> {
	const { row } = found;
	await addToSettled(row.integrationId, -1, context);
	return {
		...(await placeInLane(found, context)),
		state: "pending",
		dueAt: context.nowMs,
		dueRule: null,
		passAt: null,
		attemptsBefore: row.attempts,
		lastError: null,
		finishedAt: null,
	};
}

async function addFresh(
	{ row, integration }: WebhookEventRow,
	size: { entity: number; configuration: number },
	context: Context,
): Promise<Outcome<WebhookEvent>> {
	const uuid = context.newUuid();
	await addDelivery(
		{
			id: row.integrationId,
			sequence: await takeSequence(context.db, row.integrationId),
			status: integration.status,
			// Whoever asks for it by hand wants it kept, also while the integration is paused.
			onPause: "hold",
			ordering: integration.ordering,
			configurationId: row.configurationId,
			configurationBytes: size.configuration,
		},
		{ eventRowId: row.eventRowId, entityBytes: size.entity, lane: row.lane },
		{ ...context, newUuid: () => uuid },
	);
	const after = toWebhookEvent(
		await readWebhookEvent(uuid, context),
		context.nowMs,
	);
	return toOutcome("redelivered", null, after);
}

async function change(
	found: WebhookEventRow,
	columns: Partial<RowOf<"delivery">>,
	action: string,
	context: Context,
): Promise<Outcome<WebhookEvent>> {
	const { db, nowMs } = context;
	const { delivery } = db.tables;
	await db.query
		.update(delivery)
		.set(columns)
		.where(eq(delivery.id, found.row.id));
	const after = { ...found, row: { ...found.row, ...columns } };
	return toOutcome(
		action,
		toWebhookEvent(found, nowMs),
		toWebhookEvent(after, nowMs),
	);
}

const toOutcome = (
	action: string,
	before: WebhookEvent | null,
	after: WebhookEvent,
): Outcome<WebhookEvent> => ({
	result: after,
	changes: [
		{ entity: "webhook_event", uuid: after.uuid, action, before, after },
	],
	deliveries: 1,
});

/** The counter of finished deliveries: what is pending is the difference to the sequence. */
async function addToSettled(id: number, by: number, { db }: Context) {
	const { integration } = db.tables;
	await db.query
		.update(integration)
		.set({ settled: sql`${integration.settled} + ${by}` })
		.where(eq(integration.id, id));
}

async function readSize(
	row: RowOf<"delivery">,
	{ db: { query, tables } }: Context,
) {
	const { event, integrationConfiguration } = tables;
	const [size] = await query
		.select({
			entity: sql<number>`octet_length(${event.entity})`,
			configuration: sql<number>`octet_length(${integrationConfiguration.json})`,
		})
		.from(event)
		.innerJoin(
			integrationConfiguration,
			eq(integrationConfiguration.id, row.configurationId),
		)
		.where(eq(event.id, row.eventRowId));
	if (!size) throw new TypeError(`delivery ${row.uuid} has no event`);
	return size;
}
