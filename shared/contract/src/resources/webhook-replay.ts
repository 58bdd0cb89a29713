import { EVENT_IDS } from "@partnerwire/wire";
import { z } from "zod";
import { instant, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { EventIdSchema } from "./event-id.ts";

/** Deliveries that can go again: finished ones, and those that wait for their next attempt. */
export const ReplayableStatus = z.enum([
	"delivered",
	"failed",
	"dropped",
	"pending",
]);
export type ReplayableStatus = z.infer<typeof ReplayableStatus>;

/** Deliveries that can be removed: all but those that are still to go. */
export const PurgeableStatus = z.enum([
	"delivered",
	"failed",
	"dropped",
	"held",
]);
export type PurgeableStatus = z.infer<typeof PurgeableStatus>;

/** Which deliveries of an integration: made at or after `since` and before `until`, of these events (default all). */
const selection = {
	integration_id: Uuid,
	since: instant().nullable().default(null),
	until: instant().nullable().default(null),
	event_ids: z.array(EventIdSchema).min(1).max(19).default(EVENT_IDS),
	/** Only counts; nothing is changed. */
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

/** Deliveries a second, unless the body says otherwise: as after a resume. */
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
	/** Nothing was made: it only counted. */
	"dry_run",
	"running",
	"completed",
	"cancelled",
]);
export type WebhookReplayStatus = z.infer<typeof WebhookReplayStatus>;

/** A durable job that gives deliveries back to the queue at a rate. */
export const WebhookReplay = z.object({
	/** Null for a dry run, which leaves nothing behind. */
	uuid: z.string().nullable(),
	integration_id: z.string(),
	status: WebhookReplayStatus,
	/** While its integration is paused it waits. */
	waiting_for: z.enum(["pause"]).nullable(),
	since: timestamp().nullable(),
	until: timestamp().nullable(),
	statuses: z.array(ReplayableStatus),
	event_ids: z.array(EventIdSchema),
	rate_per_second: z.int(),
	fresh: z.boolean(),
	dry_run: z.boolean(),
	/** matched = replayed + skipped + remaining + changed, unless more came to match since. */
	counts: z.object({
		/** When it was made. */
		matched: z.int(),
		replayed: z.int(),
		/** They wait for an earlier delivery of their record, or are larger than what is sent. */
		skipped: z.int(),
		remaining: z.int(),
		/** They no longer matched when their turn came, or the job was cancelled before it. */
		changed: z.int(),
	}),
	/** Why it was cancelled. */
	reason: z.string().nullable(),
	/** When it will have ended, at its rate. */
	ends_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
	finished_at: timestamp().nullable(),
});
export type WebhookReplay = z.infer<typeof WebhookReplay>;

export const WebhookPurge = z
	.object({
		...selection,
		/** Said each time: what is removed is gone. */
		statuses: z.array(PurgeableStatus).min(1).max(4),
	})
	.refine(startsFirst, ORDER);
export type WebhookPurge = z.output<typeof WebhookPurge>;

export const WebhookPurgeResult = z.object({
	integration_id: z.string(),
	dry_run: z.boolean(),
	/** Deliveries that match, for a dry run; else those that were removed. */
	matched: z.int(),
	purged: z.int(),
	/** False when there is more: call again. A call works for two seconds. */
	complete: z.boolean(),
});
export type WebhookPurgeResult = z.infer<typeof WebhookPurgeResult>;
