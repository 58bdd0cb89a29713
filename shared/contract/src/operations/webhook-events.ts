import { z } from "zod";
import { EventIdSchema } from "../resources/event-id.ts";
import { WebhookFeed } from "../resources/webhook-feed.ts";
import {
	Ledger,
	WebhookEvent,
	WebhookEventDetail,
	WebhookEventStatus,
} from "../resources/webhooks/webhook-event.ts";
import { pageOf, pageQuery, queryInteger } from "../table/list-query.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { instant } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

const group = "Webhook Events";
const params = z.object({ uuid: Uuid });
const eventPath = "/v1/webhook-events/{uuid}";

export const webhookEventOperations = {
	listWebhookEvents: defineRead({
		group,
		path: "/v1/webhook-events",
		summary: "List the deliveries of webhooks, newest first",
		query: z.object({
			...pageQuery,
			integration_id: Uuid.optional(),
			event_id: EventIdSchema.optional(),
			status: WebhookEventStatus.optional(),
			record_uuid: Uuid.optional(),
			created_after: instant().optional(),
			created_before: instant().optional(),
		}),
		response: pageOf(WebhookEvent),
	}),
	/** Must stand before `getWebhookEvent`, whose `{uuid}` would match this path too. */
	getWebhookLedger: defineRead({
		group,
		path: "/v1/webhook-events/ledger",
		summary:
			"Account for every event of every integration against its own counter",
		response: Ledger,
	}),
	/** For a receiver that was down. Must stand before `getWebhookEvent` too. */
	getWebhookFeed: defineRead({
		group,
		path: "/v1/webhook-events/feed",
		summary:
			"Catch up: every delivery of an integration after a sequence, oldest first, with its body and a fresh token",
		query: z.object({
			integration_id: Uuid,
			after_sequence: queryInteger("after_sequence", { minimum: 0 }).default(0),
			limit: queryInteger("limit", { maximum: 100 }).default(25),
		}),
		response: WebhookFeed,
		secret: true,
	}),
	getWebhookEvent: defineRead({
		group,
		path: eventPath,
		summary: "Get a delivery: its attempts, why it waits and what happens next",
		params,
		response: WebhookEventDetail,
	}),
	redeliverWebhookEvent: defineWrite({
		group,
		method: "POST",
		path: `${eventPath}/redeliver`,
		summary:
			"Deliver again, now, as the same delivery; or as a new one with fresh",
		params,
		body: z.object({ fresh: z.boolean().default(false) }).prefault({}),
		response: WebhookEvent,
	}),
	skipWebhookEvent: defineWrite({
		group,
		method: "POST",
		path: `${eventPath}/skip`,
		summary:
			"Give up a pending delivery, so that the next of its record goes; recorded",
		params,
		response: WebhookEvent,
	}),
};
