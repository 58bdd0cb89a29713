import { z } from "zod";
import { timestamp } from "../table/text.ts";
import { EventIdSchema } from "./event-id.ts";
import { WebhookEventStatus } from "./webhooks/webhook-event.ts";

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
