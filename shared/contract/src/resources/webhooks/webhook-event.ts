import * as z from "zod";
import { pageOf, pageQuery, queryInteger } from "../../table/list-query.ts";
import { defineRead, defineWrite } from "../../table/operation.ts";
import { EventIdSchema } from "../../table/references.ts";
import { instant, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/* Deliveries of webhooks with their attempts, the ledger that counts them, and the feed for receivers that catch up. */

/** The states of a delivery. `held` is pending while its integration is paused (docs/decisions.md#pause). */
export const WebhookEventStatus = z.enum([
	"pending",
	"delivering",
	"delivered",
	"failed",
	"held",
	"dropped",
]);
export type WebhookEventStatus = z.infer<typeof WebhookEventStatus>;

/** The rule that a delivery waits for. */
export const WaitingFor = z.enum([
	/** The retry schedule, `Retry-After`, or the 60 s after an overload or a timeout (docs/decisions.md#retries). */
	"schedule",
	"retry_after",
	"overload_floor",
	/** The integration is paused. */
	"pause",
	/** An earlier delivery of the same record is not done (docs/decisions.md#order). */
	"lane",
	/** After a resume, held deliveries go out at a bounded rate (docs/decisions.md#resume). */
	"release_rate",
	/** An attempt is under way. */
	"lease",
	/** It is due: the next free worker takes it. */
	"worker",
]);
export type WaitingFor = z.infer<typeof WaitingFor>;

/** One event on its way to one integration: `uuid` is the token's `jti`. */
export const WebhookEvent = z.object({
	uuid: z.string(),
	integration_id: z.string(),
	event_id: EventIdSchema,
	/** The record whose lane it is in: of a lead note, the lead. */
	record_uuid: z.string(),
	/** Its number within the integration, without gaps. */
	sequence: z.int(),
	status: WebhookEventStatus,
	/** Sent before an earlier event of the record was delivered, or after a later one. */
	out_of_order: z.boolean(),
	attempt_count: z.int(),
	waiting_for: WaitingFor.nullable(),
	next_attempt_at: timestamp().nullable(),
	last_error: z.string().nullable(),
	created_at: timestamp(),
	finished_at: timestamp().nullable(),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

const milliseconds = z.number().nullable();

/** One attempt; captured headers and body are bounded and hold no token. */
export const WebhookAttempt = z.object({
	number: z.int(),
	started_at: timestamp(),
	duration_ms: z.number(),
	delivered: z.boolean(),
	status: z.int().nullable(),
	failure: z
		.object({
			class: z.string(),
			stage: z.string(),
			code: z.string().nullable(),
			message: z.string(),
		})
		.nullable(),
	advice: z.string(),
	/** The IP address that was connected to, or that the URL names. */
	address: z.string().nullable(),
	/** Whether it was sent twice, because the first, kept-alive connection was dead. */
	retried_on_reset: z.boolean(),
	timings: z.object({
		dns_ms: milliseconds,
		connect_ms: milliseconds,
		tls_ms: milliseconds,
		headers_ms: milliseconds,
		body_ms: milliseconds,
	}),
	response: z.object({
		headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
		body: z.string(),
	}),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** A delivery with its attempts, its body and an explanation. */
export const WebhookEventDetail = WebhookEvent.extend({
	/** Why it is where it is, and what happens next. */
	explanation: z.string(),
	/** The advice about the last attempt; null before the first. */
	advice: z.string().nullable(),
	/** The delivery of the same record that it waits for. */
	blocked_by: z.string().nullable(),
	/** The body that every attempt sends. */
	body: z.string(),
	/** URL, headers and claims of an attempt now, with masked secrets (docs/decisions.md#request-of-a-webhook-event). */
	request: z.object({
		url: z.string(),
		headers: z.record(z.string(), z.string()),
		claims: z.record(z.string(), z.unknown()),
	}),
	attempts: z.array(WebhookAttempt),
});
export type WebhookEventDetail = z.infer<typeof WebhookEventDetail>;

/** The account of one integration (docs/decisions.md#ledger): `matched` is its own counter, the rest are counted rows. */
export const LedgerEntry = z.object({
	integration_id: z.string(),
	label: z.string(),
	matched: z.int(),
	delivered: z.int(),
	failed: z.int(),
	pending: z.int(),
	delivering: z.int(),
	held: z.int(),
	dropped: z.int(),
	purged: z.int(),
	balanced: z.boolean(),
	/** The mismatch in words; null if the counts add up. */
	problem: z.string().nullable(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export const Ledger = z.object({
	balanced: z.boolean(),
	data: z.array(LedgerEntry),
});
export type Ledger = z.infer<typeof Ledger>;

/** One delivery in the feed, for a receiver that catches up (docs/decisions.md#feed-for-catching-up). */
export const WebhookFeedItem = z.object({
	sequence: z.int(),
	/** The delivery's uuid: the `jti` of its tokens. */
	uuid: z.string(),
	event_id: EventIdSchema,
	status: WebhookEventStatus,
	created_at: timestamp(),
	/** Why the body is missing: the delivery was dropped or never sent. Otherwise null. */
	omitted: z.string().nullable(),
	/** The body that every attempt sends, in UTF-8. If null, `omitted` says why. */
	body: z.string().nullable(),
	/** A new token for exactly that body. Null without a body, and for a key that may not write. */
	token: z.string().nullable(),
});
export type WebhookFeedItem = z.infer<typeof WebhookFeedItem>;

/**
 * The deliveries of an integration after `after_sequence`, up to `to_sequence`. Each number in between is an item or lies
 * in a purged range, so that a reader can prove that nothing is missing.
 */
export const WebhookFeed = z.object({
	integration_id: z.string(),
	after_sequence: z.int(),
	/** The `after_sequence` of the next call. */
	to_sequence: z.int(),
	/** The newest number of the integration. The feed ends when `to_sequence` equals it. */
	newest_sequence: z.int(),
	data: z.array(WebhookFeedItem),
	/** Numbers whose deliveries were removed when their retention ended. */
	purged: z.array(z.object({ from_sequence: z.int(), to_sequence: z.int() })),
});
export type WebhookFeed = z.infer<typeof WebhookFeed>;

const group = "Webhook Events";
const params = z.object({ uuid: Uuid });
const eventPath = "/v1/webhook-events/{uuid}";

export const webhookEventOperations = {
	listWebhookEvents: defineRead({
		replica: true,
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
