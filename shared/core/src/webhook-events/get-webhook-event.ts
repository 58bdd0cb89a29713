import type { WebhookAttempt, WebhookEventDetail } from "@partnerwire/contract";
import { and, asc, eq, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Ports } from "../context/ports.ts";
import type { RowOf } from "../db/insert-row.ts";
import {
	readWebhookEvent,
	toBodyText,
	toWebhookEvent,
	type WebhookEventRow,
} from "../delivery/emit/webhook-event-view.ts";
import { openIntegration } from "../secrets/integration-secrets.ts";
import { toIso } from "../values/times.ts";
import { type Blocker, explainWebhookEvent } from "./explain-webhook-event.ts";

/** Reads a delivery with its attempts, the reason why it waits, and its request. */
export async function getWebhookEvent(
	uuid: string,
	context: Context,
): Promise<WebhookEventDetail> {
	const { db, nowMs, ports } = context;
	const { attempt } = db.tables;
	const found = await readWebhookEvent(uuid, context);
	const rows = await db.query
		.select()
		.from(attempt)
		.where(eq(attempt.deliveryId, found.row.id))
		.orderBy(asc(attempt.number));
	const attempts = rows.map((row) => toAttempt(row, ports));
	const isBlocked = found.row.state === "pending" && !found.row.ready;
	const blocker = isBlocked ? await findBlocker(found, context) : null;
	return {
		...toWebhookEvent(found, nowMs),
		explanation: explainWebhookEvent(found, blocker, nowMs),
		advice: attempts.at(-1)?.advice ?? null,
		blocked_by: blocker?.uuid ?? null,
		...(await readRequest(found, context)),
		attempts,
	};
}

const NO_TIMINGS = {
	dns_ms: null,
	connect_ms: null,
	tls_ms: null,
	headers_ms: null,
	body_ms: null,
};

const toAttempt = (row: RowOf<"attempt">, ports: Ports): WebhookAttempt => ({
	number: row.number,
	started_at: toIso(row.startedAt),
	duration_ms: row.durationMs,
	delivered: row.failureClass === null,
	status: row.status,
	failure:
		row.failureClass === null
			? null
			: {
					class: row.failureClass,
					stage: row.failureStage ?? "",
					code: row.failureCode,
					message: row.message ?? "",
				},
	advice: ports.adviceFor(row.failureClass),
	address: row.address,
	retried_on_reset: row.retriedOnReset,
	timings: row.timings ?? NO_TIMINGS,
	response: {
		headers: row.responseHeaders ?? {},
		body: row.responseBody ?? "",
	},
});

async function findBlocker(
	{ row }: WebhookEventRow,
	{ db: { query, tables } }: Context,
): Promise<Blocker | null> {
	const { delivery } = tables;
	const [head] = await query
		.select()
		.from(delivery)
		.where(
			and(
				eq(delivery.integrationId, row.integrationId),
				eq(delivery.lane, row.lane),
				sql`${delivery.state} in ('pending', 'delivering')`,
				eq(delivery.passed, false),
			),
		)
		.orderBy(asc(delivery.sequence))
		.limit(1);
	return head ?? null;
}

/** Reads the body as text, and the request around it. */
async function readRequest(
	{ row, eventId }: WebhookEventRow,
	{ db: { query, tables }, cipher, ports, nowMs }: Context,
): Promise<Pick<WebhookEventDetail, "body" | "request">> {
	const { event, integration, integrationConfiguration } = tables;
	const [parts] = await query
		.select({
			integration,
			userUuid: event.userUuid,
			entity: event.entity,
			configuration: integrationConfiguration.json,
		})
		.from(event)
		.innerJoin(
			integrationConfiguration,
			eq(integrationConfiguration.id, row.configurationId),
		)
		.innerJoin(integration, eq(integration.id, row.integrationId))
		.where(eq(event.id, row.eventRowId));
	if (!parts) throw new TypeError(`delivery ${row.uuid} has no event`);
	const { integration: owner, ...sent } = parts;
	const request = ports.describeWebhook(
		{
			...openIntegration(owner, cipher, nowMs),
			...sent,
			eventId,
			uuid: row.uuid,
			sequence: row.sequence,
		},
		nowMs,
	);
	return { body: toBodyText({ eventId, ...sent }), request };
}
