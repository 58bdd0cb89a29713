import { EVENT_IDS } from "@partnerwire/wire";
import * as z from "zod";
import { pageOf, pageQuery } from "../../table/list-query.ts";
import {
	defineAction,
	defineRead,
	defineWrite,
} from "../../table/operation.ts";
import { EventIdSchema } from "../../table/references.ts";
import { instant, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/* Replays, which send deliveries again, and purges, which remove them. */

/** Deliveries that can be sent again: finished ones, and those that wait for their next attempt. */
export const ReplayableStatus = z.enum([
	"delivered",
	"failed",
	"dropped",
	"pending",
]);
export type ReplayableStatus = z.infer<typeof ReplayableStatus>;

/** Deliveries that can be removed: all but those that are still to be sent. */
export const PurgeableStatus = z.enum([
	"delivered",
	"failed",
	"dropped",
	"held",
]);
export type PurgeableStatus = z.infer<typeof PurgeableStatus>;

/** Selects deliveries of an integration: created at or after `since` and before `until`, of these events (default all). */
const selection = {
	integration_id: Uuid,
	since: instant().nullable().default(null),
	until: instant().nullable().default(null),
	event_ids: z.array(EventIdSchema).min(1).max(19).default(EVENT_IDS),
	/** Only counts, and changes nothing. */
	dry_run: z.boolean().default(false),
};

const startsFirst = ({
	since,
	until,
}: {
	since: string | null;
	until: string | null;
}) => since === null || until === null || Date.parse(since) < Date.parse(until);
const ORDER = { error: "must be after since", path: ["until"] };

/** The default rate, in deliveries per second: the same as after a resume. */
const REPLAYS_PER_SECOND = 50;

export const WebhookReplayCreate = z
	.object({
		...selection,
		statuses: z.array(ReplayableStatus).min(1).max(4).default(["failed"]),
		rate_per_second: z.int().min(1).max(10_000).default(REPLAYS_PER_SECOND),
		/** As new deliveries, each with a `jti` of its own. */
		fresh: z.boolean().default(false),
	})
	.refine(startsFirst, ORDER);
export type WebhookReplayCreate = z.output<typeof WebhookReplayCreate>;

export const WebhookReplayStatus = z.enum([
	/** A dry run: it only counted. */
	"dry_run",
	"running",
	"completed",
	"cancelled",
]);
export type WebhookReplayStatus = z.infer<typeof WebhookReplayStatus>;

/** A durable job that gives deliveries back to the queue at a rate (docs/decisions.md#replays). */
export const WebhookReplay = z.object({
	/** Null for a dry run, which is not stored. */
	uuid: z.string().nullable(),
	integration_id: z.string(),
	status: WebhookReplayStatus,
	/** The job waits while its integration is paused. */
	waiting_for: z.enum(["pause"]).nullable(),
	since: timestamp().nullable(),
	until: timestamp().nullable(),
	statuses: z.array(ReplayableStatus),
	event_ids: z.array(EventIdSchema),
	rate_per_second: z.int(),
	fresh: z.boolean(),
	dry_run: z.boolean(),
	/** matched = replayed + skipped + remaining + changed, unless more deliveries match since. */
	counts: z.object({
		/** As counted when the job was created. */
		matched: z.int(),
		replayed: z.int(),
		/** They wait for an earlier delivery of their record, or are too large to be sent. */
		skipped: z.int(),
		remaining: z.int(),
		/** They no longer matched when their turn came, or the job was cancelled before. */
		changed: z.int(),
	}),
	/** Why it was cancelled. */
	reason: z.string().nullable(),
	/** When the job will end, at its rate. */
	ends_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
	finished_at: timestamp().nullable(),
});
export type WebhookReplay = z.infer<typeof WebhookReplay>;

export const WebhookPurge = z
	.object({
		...selection,
		/** Required each time, because a removal cannot be undone. */
		statuses: z.array(PurgeableStatus).min(1).max(4),
	})
	.refine(startsFirst, ORDER);
export type WebhookPurge = z.output<typeof WebhookPurge>;

export const WebhookPurgeResult = z.object({
	integration_id: z.string(),
	dry_run: z.boolean(),
	/** For a dry run, the deliveries that match; otherwise those that were removed. */
	matched: z.int(),
	purged: z.int(),
	/** False if there is more: call again. One call works for two seconds (docs/decisions.md#purge). */
	complete: z.boolean(),
});
export type WebhookPurgeResult = z.infer<typeof WebhookPurgeResult>;

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
