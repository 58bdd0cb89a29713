import { EVENT_IDS } from "@partnerwire/wire";
import * as z from "zod";
import { optionalBody } from "../../table/inferred.ts";
import {
	pageOf,
	pageQuery,
	queryBoolean,
	queryInteger,
	querySearch,
} from "../../table/list-query.ts";
import { defineRead, defineWrite } from "../../table/operation.ts";
import { Success } from "../../table/params.ts";
import { EventIdSchema } from "../../table/references.ts";
import {
	requiredLine,
	requiredText,
	text,
	timestamp,
} from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import { MAX_RETRY_DELAY_S, RELEASE_PER_SECOND } from "./limits.ts";
import { Configuration, ExternalSettings } from "./webhook-request.ts";

/* Integrations: where webhooks go, pause and resume. Their secrets are in signing-secret.ts, test webhooks in webhook-test.ts. */

export const OnPause = z.enum(["hold", "drop"]);
export type OnPause = z.infer<typeof OnPause>;

export const Ordering = z.enum(["record", "none"]);
export type Ordering = z.infer<typeof Ordering>;

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
	/** Are requests also signed as Standard Webhooks say (docs/decisions.md#standard-webhooks)? */
	standard_webhooks: z.boolean(),
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

/** The secrets that belong to the origin of the URL they were given with (docs/decisions.md#new-origin-of-a-webhook-url). */
export const ORIGIN_SECRETS = ["api_key", "external_settings"] as const;

/** The answer of update. */
const UpdatedIntegration = Integration.extend({
	/** The secrets that were removed because the URL has a new origin. */
	dropped_secrets: z.array(z.enum(ORIGIN_SECRETS)),
});

/** The answer of create and rotate: with the signing secret (docs/decisions.md#signing-secret). */
export const IntegrationWithSecret = Integration.extend({
	integration_uuid: z.string(),
});
export type IntegrationWithSecret = z.infer<typeof IntegrationWithSecret>;

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
	standard_webhooks: z.boolean(),
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

/** The part that the operations on one integration share. These paths have a prefix of their own, not `/v1` (docs/decisions.md#mounts). */
export const onIntegration = {
	group: "Integrations",
	path: "/api/v1/integrations/{integration_id}",
	/** `integration_id` is a public uuid, not the signing secret. */
	params: z.object({ integration_id: Uuid }),
} as const;
const { group, params, path: management } = onIntegration;

export const integrationOperations = {
	listIntegrations: defineRead({
		replica: true,
		group,
		path: "/v1/integrations",
		summary: "List the integrations",
		query: z.object({
			...pageQuery,
			search: querySearch().optional(),
			status: z.enum(["active", "paused"]).optional(),
			/** Only those that need a look: paused by the service, or failing since their last success. */
			attention: queryBoolean().default(false),
		}),
		response: pageOf(Integration),
	}),
	createIntegration: defineWrite({
		group,
		method: "POST",
		path: "/v1/integrations",
		summary: "Create an integration; its signing secret is answered here",
		body: IntegrationCreate,
		response: IntegrationWithSecret,
		status: 201,
		secret: true,
	}),
	deleteIntegration: defineWrite({
		group,
		method: "DELETE",
		path: "/v1/integrations/{integration_id}",
		summary: "Delete an integration; with pending deliveries only when forced",
		params,
		query: z.object({ force: queryBoolean().default(false) }),
		exact: true,
		response: Success,
	}),
	getIntegration: defineRead({
		group,
		path: management,
		summary: "Get an integration",
		params,
		response: Integration,
	}),
	updateIntegration: defineWrite({
		group,
		method: "PATCH",
		path: management,
		summary:
			"Update an integration; a URL of a new origin removes api_key and external_settings that are not given with it",
		params,
		body: IntegrationUpdate,
		response: UpdatedIntegration,
	}),
	pauseIntegration: defineWrite({
		group,
		method: "POST",
		path: `${management}/pause`,
		summary: "Pause an integration: its deliveries are held, not lost",
		params,
		body: optionalBody({ reason: text().nullable().optional() }),
		response: Integration,
	}),
	resumeIntegration: defineWrite({
		group,
		method: "POST",
		path: `${management}/resume`,
		summary:
			"Resume an integration: held deliveries go out in order, at a bounded rate",
		params,
		body: optionalBody({
			rate_per_second: z.int().min(1).max(10_000).optional(),
		}),
		exact: true,
		response: Integration,
	}),
	previewIntegrationResume: defineRead({
		group,
		path: `${management}/resume-preview`,
		summary: "Preview what a resume will release, and how long that takes",
		params,
		query: z.object({
			rate_per_second: queryInteger("rate_per_second", {
				maximum: 10_000,
			}).default(RELEASE_PER_SECOND),
		}),
		response: ResumePreview,
	}),
};
