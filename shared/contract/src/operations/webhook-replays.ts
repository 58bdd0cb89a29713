import { z } from "zod";
import {
	WebhookPurge,
	WebhookPurgeResult,
	WebhookReplay,
	WebhookReplayCreate,
} from "../resources/webhooks/webhook-replay.ts";
import { pageOf, pageQuery } from "../table/list-query.ts";
import { defineAction, defineRead, defineWrite } from "../table/operation.ts";
import { Uuid } from "../table/uuid.ts";

const group = "Webhook Events";
const params = z.object({ uuid: Uuid });
const replayPath = "/v1/webhook-replays/{uuid}";

/** Replays and purges (docs/decisions.md#replays). They are actions, because they count and remove in small steps. */
export const webhookReplayOperations = {
	listWebhookReplays: defineRead({
		group,
		path: "/v1/webhook-replays",
		summary: "List the replays, newest first",
		query: z.object({ ...pageQuery, integration_id: Uuid.optional() }),
		response: pageOf(WebhookReplay),
	}),
	createWebhookReplay: defineAction({
		group,
		method: "POST",
		path: "/v1/webhook-replays",
		summary:
			"Replay deliveries at a rate, as a durable job; or only count them with dry_run",
		body: WebhookReplayCreate,
		exact: true,
		response: WebhookReplay,
		status: 201,
	}),
	getWebhookReplay: defineRead({
		group,
		path: replayPath,
		summary: "Get a replay and its progress",
		params,
		response: WebhookReplay,
	}),
	cancelWebhookReplay: defineWrite({
		group,
		method: "POST",
		path: `${replayPath}/cancel`,
		summary: "Cancel a replay; what it gave back already still goes",
		params,
		response: WebhookReplay,
	}),
	purgeWebhookEvents: defineAction({
		group,
		method: "POST",
		path: "/v1/webhook-events/purge",
		summary:
			"Remove deliveries for good, with their attempts; the ledger counts them",
		body: WebhookPurge,
		exact: true,
		response: WebhookPurgeResult,
	}),
};
