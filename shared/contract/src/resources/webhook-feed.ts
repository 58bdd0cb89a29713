import { z } from "zod";
import { timestamp } from "../table/text.ts";
import { EventIdSchema } from "./event-id.ts";
import { WebhookEventStatus } from "./webhook-event.ts";

/** One delivery as a receiver that catches up gets it. */
export const WebhookFeedItem = z.object({
	sequence: z.int(),
	/** The delivery: the `jti` of its tokens. */
	uuid: z.string(),
	event_id: EventIdSchema,
	status: WebhookEventStatus,
	created_at: timestamp(),
	/** Why there is nothing to receive: it was dropped, or never sent. Null for everything else. */
	omitted: z.string().nullable(),
	/** The text whose UTF-8 is what every attempt sends; null where `omitted` says why. */
	body: z.string().nullable(),
	/** A token of now, for exactly that body; null without a body, and for a key that may not write. */
	token: z.string().nullable(),
});
export type WebhookFeedItem = z.infer<typeof WebhookFeedItem>;

/**
 * What an integration's counter gave out after `after_sequence`, up to `to_sequence`: each number of that range is an item or
 * lies in a purged range, so that a reader can prove that nothing is missing.
 */
export const WebhookFeed = z.object({
	integration_id: z.string(),
	after_sequence: z.int(),
	/** Where the next call goes on. */
	to_sequence: z.int(),
	/** The newest number of the integration: the end is reached when `to_sequence` is that. */
	newest_sequence: z.int(),
	data: z.array(WebhookFeedItem),
	/** Numbers whose deliveries were removed when their retention ended. */
	purged: z.array(z.object({ from_sequence: z.int(), to_sequence: z.int() })),
});
export type WebhookFeed = z.infer<typeof WebhookFeed>;
