import { EVENT_IDS } from "@partnerwire/wire";
import { z } from "zod";
import { Configuration, ExternalSettings } from "../../configuration.ts";
import {
	requiredLine,
	requiredText,
	text,
	timestamp,
} from "../../table/text.ts";
import { EventIdSchema } from "../event-id.ts";

export const OnPause = z.enum(["hold", "drop"]);
export type OnPause = z.infer<typeof OnPause>;

export const Ordering = z.enum(["record", "none"]);
export type Ordering = z.infer<typeof Ordering>;

/** The longest delay of a retry schedule: seven days. */
export const MAX_RETRY_DELAY_S = 604_800;

/** Delays in seconds, each counted from the attempt before; the first is usually 0 (docs/decisions.md#retries). */
export const RetrySchedule = z
	.array(z.int().min(0).max(MAX_RETRY_DELAY_S))
	.min(1)
	.max(20);
export type RetrySchedule = z.infer<typeof RetrySchedule>;

/** The highest rate of deliveries, per second (docs/decisions.md#rate-of-one-integration and #resume). */
const MaxPerSecond = z.number().min(0.01).max(10_000);

/** An integration without its signing secret; `id` is public. */
export const Integration = z.object({
	id: z.string(),
	label: z.string(),
	webhook_url: z.string(),
	status: z.enum(["active", "paused"]),
	pause_reason: z.string().nullable(),
	on_pause: OnPause,
	ordering: Ordering,
	event_ids: z.array(EventIdSchema),
	configuration: Configuration,
	has_external_settings: z.boolean(),
	has_api_key: z.boolean(),
	retry_schedule: RetrySchedule.nullable(),
	max_per_second: z.number().nullable(),
	paused_at: timestamp().nullable(),
	/** When the next secret begins to sign. Null if no rotation is planned. */
	secret_cutover_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
	health: z.object({
		delivered_24h: z.int(),
		failed_24h: z.int(),
		held: z.int(),
		pending: z.int(),
		/** Failed deliveries that are not tried again, counted up to `MOST_GIVEN_UP`. */
		given_up: z.int(),
		last_success_at: timestamp().nullable(),
		last_failure_at: timestamp().nullable(),
		last_error: z.string().nullable(),
		/** Attempts by the hour: the last 23 full hours and the current one, oldest first. */
		hours: z.array(
			z.object({
				hour: timestamp(),
				delivered: z.int(),
				failed: z.int(),
			}),
		),
	}),
});
export type Integration = z.infer<typeof Integration>;

/** The answer of create and rotate: with the signing secret (docs/decisions.md#signing-secret). */
export const IntegrationWithSecret = Integration.extend({
	integration_uuid: z.string(),
});
export type IntegrationWithSecret = z.infer<typeof IntegrationWithSecret>;

/** The secret that signs now, and the next one if a rotation is planned (docs/decisions.md#rotation). */
export const RevealedSecret = z.object({
	integration_uuid: z.string(),
	next_integration_uuid: z.string().nullable(),
	cutover_at: timestamp().nullable(),
});
export type RevealedSecret = z.infer<typeof RevealedSecret>;

const ReleasedDelivery = z.object({
	uuid: z.string(),
	event_id: EventIdSchema,
	created_at: timestamp(),
});

/** The deliveries that a resume will release (docs/decisions.md#preview-of-a-resume). */
export const ResumePreview = z.object({
	held: z.int(),
	/** The delivery that is sent first, and the newest held one. Null if a resume sends nothing. */
	first: ReleasedDelivery.nullable(),
	last: ReleasedDelivery.nullable(),
	/** The rate of the release, bounded by the integration's own rate, and how long it takes. */
	rate_per_second: z.number(),
	seconds: z.int(),
});
export type ResumePreview = z.infer<typeof ResumePreview>;

const mandatory = { label: requiredLine(), webhook_url: text(2048) };
const optional = {
	event_ids: z
		.array(EventIdSchema)
		.max(EVENT_IDS.length)
		.transform((ids) => EVENT_IDS.filter((id) => ids.includes(id))),
	configuration: Configuration,
	external_settings: ExternalSettings.nullable(),
	api_key: requiredText(4096).nullable(),
	on_pause: OnPause,
	ordering: Ordering,
	retry_schedule: RetrySchedule.nullable(),
	max_per_second: MaxPerSecond.nullable(),
};

/** `label` and `webhook_url` are required (docs/contract.md#integrations); `event_ids` defaults to all 19. */
export const IntegrationCreate = z.object(optional).partial().extend(mandatory);
export type IntegrationCreate = z.infer<typeof IntegrationCreate>;

export const IntegrationUpdate = z
	.object({ ...optional, ...mandatory })
	.partial();
export type IntegrationUpdate = z.infer<typeof IntegrationUpdate>;

export const TestRequest = z.object({
	event_id: EventIdSchema,
	/** The body to send in place of the event's fixture. */
	payload: z.record(z.string(), z.unknown()).optional(),
	/** Keep the payload's uuid and timestamps: by default they are fresh. */
	exact: z.boolean().default(false),
});
export type TestRequest = z.infer<typeof TestRequest>;

/** The whole attempt of a test webhook, with token and secrets masked (docs/decisions.md#test-webhook). */
export const TestResult = z.object({
	delivered: z.boolean(),
	advice: z.string(),
	request: z.object({
		url: z.string(),
		headers: z.record(z.string(), z.string()),
		claims: z.record(z.string(), z.unknown()),
		body: z.string(),
	}),
	response: z
		.object({
			status: z.int(),
			headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
			body: z.string(),
		})
		.nullable(),
	failure: z
		.object({
			class: z.string(),
			stage: z.string(),
			code: z.string().nullable(),
			message: z.string(),
		})
		.nullable(),
	/** The IP address that was connected to, or refused. */
	address: z.string().nullable(),
	/** Whether it was sent twice, because the first, kept-alive connection was dead. */
	retried_on_reset: z.boolean(),
	/** Milliseconds per phase; null for a phase that did not happen. */
	timings: z.object({
		dns_ms: z.number().nullable(),
		connect_ms: z.number().nullable(),
		tls_ms: z.number().nullable(),
		headers_ms: z.number().nullable(),
		body_ms: z.number().nullable(),
		total_ms: z.number(),
	}),
});
export type TestResult = z.infer<typeof TestResult>;
