import { eq, sql } from "drizzle-orm";
import type { Context } from "../../context/context.ts";
import type { Db } from "../../db/db.ts";
import type { RowOf } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import {
	addToFinished,
	MAX_PAYLOAD_BYTES,
	takeSequence,
	toDelivery,
} from "../emit/emit-event.ts";
import type { WebhookEventRow } from "../emit/webhook-event-view.ts";
import { placeInLane } from "../lanes/place-in-lane.ts";
import { addDelivery } from "../sql/add-event.ts";

/** The members of an operation's context, or of a replay's, that sending again needs. */
export type RequeueContext = Pick<Context, "db" | "nowMs" | "newUuid">;

interface Size {
	readonly entity: number;
	readonly configuration: number;
}

const sizeOf = defineQuery(
	"size_of_delivery",
	({ query, tables: { event, integrationConfiguration } }) =>
		query
			.select({
				entity: sql<number>`octet_length(${event.entity})`,
				configuration: sql<number>`octet_length(${integrationConfiguration.json})`,
			})
			.from(event)
			.innerJoin(
				integrationConfiguration,
				eq(integrationConfiguration.id, sql.placeholder("configurationId")),
			)
			.where(eq(event.id, sql.placeholder("eventRowId"))),
);

const makeDue = defineQuery(
	"hurry_delivery",
	({ query, tables: { delivery } }) =>
		query
			.update(delivery)
			.set({ dueAt: sql`${sql.placeholder("nowMs")}`, dueRule: null })
			.where(eq(delivery.id, sql.placeholder("id"))),
);

const reopen = defineQuery(
	"reopen_delivery",
	({ query, tables: { delivery } }) =>
		query
			.update(delivery)
			.set({
				state: "pending",
				ready: sql`${sql.placeholder("ready")} = 1`,
				passed: sql`${sql.placeholder("passed")} = 1`,
				outOfOrder: sql`${sql.placeholder("outOfOrder")} = 1`,
				dueAt: sql`${sql.placeholder("nowMs")}`,
				dueRule: null,
				passAt: null,
				attemptsBefore: sql`${delivery.attempts}`,
				lastError: null,
				finishedAt: null,
			})
			.where(eq(delivery.id, sql.placeholder("id"))),
);

export async function readSize(
	{ row }: WebhookEventRow,
	db: Db,
): Promise<Size> {
	const { eventRowId, configurationId } = row;
	const [size] = await sizeOf(db, { eventRowId, configurationId });
	if (!size) throw new TypeError(`delivery ${row.uuid} has no event`);
	return size;
}

/** Why a delivery cannot be sent again, or null. For a fresh copy its state does not matter. */
export function refusalOf(
	{ row, integration }: WebhookEventRow,
	size: Size,
	fresh: boolean,
): string | null {
	if (integration.deletedAt !== null) return "its integration was deleted";
	if (size.entity + size.configuration > MAX_PAYLOAD_BYTES)
		return `its payload has more than the ${MAX_PAYLOAD_BYTES} bytes that are sent`;
	if (fresh) return null;
	if (row.state === "delivering") return "an attempt is under way";
	return row.state === "pending" && !row.ready
		? "it waits for an earlier delivery of the same record: skip that one, or deliver it"
		: null;
}

/** Makes a delivery due now: a pending one at once, a finished one by reopening it. Returns the changed columns. */
export async function requeue(
	found: WebhookEventRow,
	{ db, nowMs }: RequeueContext,
): Promise<Partial<RowOf<"delivery">>> {
	const { id, state, integrationId, attempts } = found.row;
	if (state === "pending") {
		await makeDue(db, { id, nowMs });
		return { dueAt: nowMs, dueRule: null };
	}
	await addToFinished(db, integrationId, -1);
	const place = await placeInLane(found, db);
	await reopen(db, {
		id,
		nowMs,
		ready: Number(place.ready),
		passed: Number(place.passed),
		outOfOrder: Number(place.outOfOrder),
	});
	return {
		...place,
		state: "pending",
		dueAt: nowMs,
		dueRule: null,
		passAt: null,
		attemptsBefore: attempts,
		lastError: null,
		finishedAt: null,
	};
}

/** Adds a new delivery with the same bytes at the end of the lane. Returns its uuid. */
export async function addFresh(
	{ row, integration }: WebhookEventRow,
	size: Size,
	context: RequeueContext,
): Promise<string> {
	const { db, nowMs } = context;
	const uuid = context.newUuid();
	const subscriber = {
		id: row.integrationId,
		sequence: await takeSequence(db, row.integrationId),
		status: integration.status,
		// A person asked for this delivery, so it is kept even while the integration is paused.
		onPause: "hold",
		ordering: integration.ordering,
		configurationId: row.configurationId,
		configurationBytes: size.configuration,
	} as const;
	const delivery = toDelivery(subscriber, size.entity, uuid);
	const { eventRowId, lane } = row;
	await addDelivery(db, delivery, { eventRowId, lane, createdAt: nowMs });
	if (delivery.state !== "pending")
		await addToFinished(db, row.integrationId, 1);
	return uuid;
}
