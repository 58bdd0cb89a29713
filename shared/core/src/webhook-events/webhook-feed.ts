import type {
	InputOf,
	WebhookFeed,
	WebhookFeedItem,
} from "@partnerwire/contract";
import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { WebhookRequest } from "../context/ports.ts";
import { defineQuery } from "../db/prepared.ts";
import { statusOf, toBodyText } from "../delivery/emit/webhook-event-view.ts";
import {
	type IntegrationRow,
	readIntegration,
} from "../integrations/integration-view.ts";
import { openIntegration } from "../secrets/integration-secrets.ts";
import { toIso } from "../values/times.ts";

/** A page ends early at this many bytes of bodies. Each body may have 256 KiB. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

const selectAfter = defineQuery(
	"webhook_feed",
	({ query, tables: { delivery, event, integrationConfiguration } }) =>
		query
			.select({
				sequence: delivery.sequence,
				uuid: delivery.uuid,
				state: delivery.state,
				attempts: delivery.attempts,
				lastError: delivery.lastError,
				createdAt: delivery.createdAt,
				eventId: event.eventId,
				userUuid: event.userUuid,
				entity: event.entity,
				configuration: integrationConfiguration.json,
			})
			.from(delivery)
			.innerJoin(event, eq(event.id, delivery.eventRowId))
			.innerJoin(
				integrationConfiguration,
				eq(integrationConfiguration.id, delivery.configurationId),
			)
			.where(
				and(
					eq(delivery.integrationId, sql.placeholder("integrationId")),
					gt(delivery.sequence, sql.placeholder("after")),
					lte(delivery.sequence, sql.placeholder("newest")),
				),
			)
			.orderBy(asc(delivery.sequence))
			.limit(sql.placeholder("limit")),
);

type FeedRow = Awaited<ReturnType<typeof selectAfter>>[number];

/**
 * Reads one page of an integration's deliveries, in order of sequence. A token proves an event to the receiver and
 * holds the integration's API key and external settings, so only keys that may write get tokens
 * (docs/decisions.md#tokens-of-the-feed).
 */
export async function readFeed(
	query: InputOf<"getWebhookFeed">["query"],
	context: Context,
): Promise<WebhookFeed> {
	const { after_sequence: after, limit } = query;
	// The counter is read before the rows: every delivery it counts is committed with it.
	const found = await readIntegration(query.integration_id, context);
	const newest = found.row.sequence;
	const rows = await selectAfter(context.db, {
		integrationId: found.row.id,
		after,
		newest,
		limit,
	});
	const page = fitting(rows);
	const isLast = page.length === rows.length && rows.length < limit;
	const to = isLast
		? Math.max(after, newest)
		: (page.at(-1)?.sequence ?? after);
	return {
		integration_id: found.row.uuid,
		after_sequence: after,
		to_sequence: to,
		newest_sequence: newest,
		data: toItems(page, found, context),
		purged: findMissing(page, after, Math.min(to, newest)),
	};
}

/** The rows that fit into a page, at least one. */
function fitting(rows: readonly FeedRow[]): readonly FeedRow[] {
	let bytes = 0;
	const end = rows.findIndex(({ entity, configuration }, index) => {
		bytes += Buffer.byteLength(entity) + Buffer.byteLength(configuration);
		return bytes > MAX_PAGE_BYTES && index > 0;
	});
	return end === -1 ? rows : rows.slice(0, end);
}

/** Finds the sequences without a row. Each number was assigned with a row, so a missing one was removed. */
function findMissing(
	rows: readonly FeedRow[],
	after: number,
	to: number,
): WebhookFeed["purged"] {
	const purged: WebhookFeed["purged"] = [];
	let next = after + 1;
	for (const sequence of [...rows.map((row) => row.sequence), to + 1]) {
		if (sequence > next)
			purged.push({ from_sequence: next, to_sequence: sequence - 1 });
		next = sequence + 1;
	}
	return purged;
}

function toItems(
	rows: readonly FeedRow[],
	{ row: integration }: IntegrationRow,
	{ caller, cipher, nowMs, ports }: Context,
): WebhookFeedItem[] {
	const opened =
		caller.write && rows.length > 0
			? openIntegration(integration, cipher, nowMs)
			: null;
	const toContent = (row: FeedRow): Pick<WebhookFeedItem, "body" | "token"> => {
		if (!opened) return { body: toBodyText(row), token: null };
		const { uuid, eventId, userUuid, sequence, entity, configuration } = row;
		const request: WebhookRequest = {
			...opened,
			uuid,
			eventId,
			userUuid,
			sequence,
			entity,
			configuration,
		};
		return ports.signWebhook(request, nowMs);
	};
	return rows.map((row) => {
		const omitted = whyOmitted(row);
		return {
			sequence: row.sequence,
			uuid: row.uuid,
			event_id: row.eventId,
			status: statusOf({ row, integration }),
			created_at: toIso(row.createdAt),
			omitted,
			...(omitted === null ? toContent(row) : { body: null, token: null }),
		};
	});
}

/**
 * Why a delivery has no body in the feed; null if it was sent or will be. Dropped ones, by the integration's setting or
 * by a person, should not be received.
 */
function whyOmitted({ state, attempts, lastError }: FeedRow): string | null {
	const neverSent = state === "failed" && attempts === 0;
	return state === "dropped" || neverSent ? (lastError ?? state) : null;
}
