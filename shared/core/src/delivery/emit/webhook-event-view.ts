import {
	notFound,
	type WaitingFor,
	type WebhookEvent,
	type WebhookEventStatus,
} from "@partnerwire/contract";
import { type EventId, payloadKeyOf } from "@partnerwire/wire";
import { and, eq } from "drizzle-orm";
import type { Context } from "../../context/context.ts";
import type { Db } from "../../db/db.ts";
import { toIso, toIsoOrNull } from "../../values/times.ts";

/** Selects deliveries with the columns of their integration and event that readers need. */
export const selectWebhookEvents = ({
	query,
	tables: { delivery, integration, event },
}: Db) =>
	query
		.select({
			row: delivery,
			eventId: event.eventId,
			companyUuid: integration.companyUuid,
			integration: {
				uuid: integration.uuid,
				label: integration.label,
				status: integration.status,
				ordering: integration.ordering,
				pauseReason: integration.pauseReason,
				pausedAt: integration.pausedAt,
				releaseUntil: integration.releaseUntil,
				releaseRate: integration.releaseRate,
				maxPerSecond: integration.maxPerSecond,
				purgedTo: integration.purgedTo,
				deletedAt: integration.deletedAt,
			},
		})
		.from(delivery)
		.innerJoin(integration, eq(integration.id, delivery.integrationId))
		.innerJoin(event, eq(event.id, delivery.eventRowId))
		.$dynamic();

export type WebhookEventRow = Awaited<
	ReturnType<typeof selectWebhookEvents>
>[number];

/**
 * The status that readers see. A pending delivery is `held` while its integration is paused (docs/decisions.md#pause)
 * and `dropped` once its integration is deleted (docs/decisions.md#deleting-an-integration).
 */
export const statusOf = ({
	row,
	integration,
}: {
	row: Pick<WebhookEventRow["row"], "state">;
	integration: Pick<WebhookEventRow["integration"], "status" | "deletedAt">;
}): WebhookEventStatus => {
	if (row.state !== "pending") return row.state;
	if (integration.deletedAt !== null) return "dropped";
	return integration.status === "paused" ? "held" : "pending";
};

/** The text whose UTF-8 every attempt sends. */
export const toBodyText = (parts: {
	eventId: EventId;
	entity: string;
	configuration: string;
}): string =>
	`{"${payloadKeyOf(parts.eventId)}":${parts.entity},"configuration":${parts.configuration}}`;

/** The rule that an unfinished delivery waits for, or null. */
export function waitingForOf(
	found: WebhookEventRow,
	nowMs: number,
): WaitingFor | null {
	const { row, integration } = found;
	const status = statusOf(found);
	if (status === "delivering") return "lease";
	if (status === "held") return "pause";
	if (status !== "pending") return null;
	if (!row.ready) return "lane";
	if (row.dueAt > nowMs) return row.dueRule ?? "schedule";
	return integration.releaseUntil === null ? "worker" : "release_rate";
}

/** Maps a delivery to the resource that the API returns. */
export function toWebhookEvent(
	found: WebhookEventRow,
	nowMs: number,
): WebhookEvent {
	const { row, integration, eventId } = found;
	const waitingFor = waitingForOf(found, nowMs);
	const isTimed =
		waitingFor !== null && !["pause", "lane", "lease"].includes(waitingFor);
	return {
		uuid: row.uuid,
		integration_id: integration.uuid,
		event_id: eventId,
		record_uuid: row.lane,
		sequence: row.sequence,
		status: statusOf(found),
		out_of_order: row.outOfOrder,
		attempt_count: row.attempts,
		waiting_for: waitingFor,
		next_attempt_at: isTimed ? toIso(row.dueAt) : null,
		last_error: row.lastError,
		created_at: toIso(row.createdAt),
		finished_at: toIsoOrNull(row.finishedAt),
	};
}

/** Reads a delivery of the caller's company, or throws 404. */
export async function readWebhookEvent(
	uuid: string,
	{ db, caller }: Context,
): Promise<WebhookEventRow> {
	const { delivery, integration } = db.tables;
	const [found] = await selectWebhookEvents(db).where(
		and(
			eq(delivery.uuid, uuid),
			eq(integration.companyUuid, caller.companyUuid),
		),
	);
	if (!found) throw notFound("webhook event");
	return found;
}
