import type { Handlers } from "../execute/handlers.ts";
import { getWebhookEvent } from "./get-webhook-event.ts";
import { listWebhookEvents } from "./list-webhook-events.ts";
import { redeliver, skip } from "./webhook-event-actions.ts";
import { readFeed } from "./webhook-feed.ts";
import { readLedger } from "./webhook-ledger.ts";

/** The handlers of webhook events; replays have their own folder. */
export const webhookEventHandlers = {
	listWebhookEvents: ({ query }, context) => listWebhookEvents(query, context),
	getWebhookEvent: ({ params }, context) =>
		getWebhookEvent(params.uuid, context),
	redeliverWebhookEvent: ({ params, body }, context) =>
		redeliver(params.uuid, body.fresh, context),
	skipWebhookEvent: ({ params }, context) => skip(params.uuid, context),
	getWebhookFeed: ({ query }, context) => readFeed(query, context),
	getWebhookLedger: (_, { db, caller }) => readLedger(db, caller.companyUuid),
} satisfies Partial<Handlers>;
