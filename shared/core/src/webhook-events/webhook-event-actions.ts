import { ApiError, type WebhookEvent } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import { addToFinished } from "../delivery/emit/emit-event.ts";
import {
	readWebhookEvent,
	toWebhookEvent,
	type WebhookEventRow,
} from "../delivery/emit/webhook-event-view.ts";
import { promoteNext } from "../delivery/lanes/promote-next.ts";
import {
	addFresh,
	readSize,
	refusalOf,
	requeue,
} from "../delivery/replay/requeue.ts";
import { lockIntegrations } from "../delivery/sql/lock-integrations.ts";
import type { Outcome } from "../execute/handlers.ts";

/**
 * Sends a delivery again, now: the same delivery (its `jti` and bytes) on a new round of the retry schedule, or with
 * `fresh` a new one at the end of its lane (docs/decisions.md#redelivery).
 */
export async function redeliver(
	uuid: string,
	fresh: boolean,
	context: Context,
): Promise<Outcome<WebhookEvent>> {
	const { db, nowMs } = context;
	const found = await holdWebhookEvent(uuid, context);
	const size = await readSize(found, db);
	const refusal = refusalOf(found, size, fresh);
	if (refusal) throw conflict(refusal);
	if (!fresh)
		return toChanged(
			found,
			await requeue(found, context),
			"redelivered",
			nowMs,
		);
	const added = await addFresh(found, size, context);
	const after = toWebhookEvent(await readWebhookEvent(added, context), nowMs);
	return toOutcome("redelivered", null, after);
}

/** Drops a pending delivery, so that the next one of its lane goes (docs/decisions.md#order). */
export async function skip(
	uuid: string,
	context: Context,
): Promise<Outcome<WebhookEvent>> {
	const { db, nowMs } = context;
	const found = await holdWebhookEvent(uuid, context);
	const { row } = found;
	if (row.state === "delivering") throw conflict("an attempt is under way");
	if (row.state !== "pending") throw conflict(`it is ${row.state} already`);
	const columns = {
		state: "dropped",
		ready: false,
		passAt: null,
		lastError: "it was skipped by hand",
		finishedAt: nowMs,
	} as const;
	const { delivery } = db.tables;
	await db.query.update(delivery).set(columns).where(eq(delivery.id, row.id));
	await addToFinished(db, row.integrationId, 1);
	await promoteNext(db, [row]);
	return toChanged(found, columns, "skipped", nowMs);
}

/** Reads a delivery and protects it from changes until this transaction ends. */
async function holdWebhookEvent(
	uuid: string,
	context: Context,
): Promise<WebhookEventRow> {
	const { db } = context;
	const found = await readWebhookEvent(uuid, context);
	if (!db.postgres) return found;
	await lockIntegrations(db, [found.row.integrationId]);
	return readWebhookEvent(uuid, context);
}

const conflict = (reason: string) =>
	new ApiError("conflict", `the webhook event cannot be changed: ${reason}`);

function toChanged(
	found: WebhookEventRow,
	columns: Partial<RowOf<"delivery">>,
	action: string,
	nowMs: number,
): Outcome<WebhookEvent> {
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
