import { OnPause, Ordering, type RetrySchedule } from "@partnerwire/contract";
import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import { sql } from "drizzle-orm";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";

/**
 * The stored states of a delivery. `held` is derived: pending, and its integration is paused (docs/decisions.md#pause).
 */
const DELIVERY_STATES = [
	"pending",
	"delivering",
	"delivered",
	"failed",
	"dropped",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The rule that decided when a delivery is due again (docs/decisions.md#retries). */
const DUE_RULES = ["schedule", "retry_after", "overload_floor"] as const;
export type DueRule = (typeof DUE_RULES)[number];

/** Milliseconds per phase of an attempt; null for a phase that did not happen. */
export interface PhaseTimings {
	readonly dns_ms: number | null;
	readonly connect_ms: number | null;
	readonly tls_ms: number | null;
	readonly headers_ms: number | null;
	readonly body_ms: number | null;
}

/** Integrations and the outbox: the delivery row is the queue. */
export function defineWebhookTables(kit: ColumnKit, { company }: AccessTables) {
	const owner = () =>
		kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid);

	const integration = kit.table(
		"integration",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull(),
			companyUuid: owner(),
			label: kit.text("label").notNull(),
			webhookUrl: kit.text("webhook_url").notNull(),
			status: kit.oneOf("status", ["active", "paused"]).notNull(),
			pauseReason: kit.text("pause_reason"),
			pausedAt: kit.time("paused_at"),
			onPause: kit.oneOf("on_pause", OnPause.options as [OnPause]).notNull(),
			ordering: kit.oneOf("ordering", Ordering.options as [Ordering]).notNull(),
			/** Are requests also signed as Standard Webhooks say? */
			standardWebhooks: kit.bool("standard_webhooks").notNull().default(false),
			eventIds: kit.json<EventId[]>("event_ids").notNull(),
			/** Inactive subscriptions: they are kept, but their events are not delivered. */
			inactiveEventIds: kit.json<EventId[]>("inactive_event_ids"),
			configurationId: kit.int("configuration_id"),
			retrySchedule: kit.json<RetrySchedule>("retry_schedule"),
			/**
			 * Encrypted: the signing secret, the next one that replaces it at `cutover_at`, the API key and the external
			 * settings.
			 */
			secret: kit.text("secret").notNull(),
			nextSecret: kit.text("next_secret"),
			cutoverAt: kit.time("cutover_at"),
			apiKey: kit.text("api_key"),
			externalSettings: kit.text("external_settings"),
			/** Counts changes, so that a worker notices when its decrypted copy is stale. */
			version: kit.int("version").notNull(),
			/** The sequence number of the newest delivery. Numbers have no gaps. */
			sequence: kit.int("sequence").notNull(),
			/**
			 * The number of finished deliveries. The number of unfinished ones is `sequence` minus this, without counting
			 * rows.
			 */
			settled: kit.int("settled").notNull(),
			/** The number of deliveries removed, for the ledger. */
			purged: kit.int("purged").notNull().default(0),
			/** The highest sequence removed. An earlier delivery that is sent again may be late, though no row shows it. */
			purgedTo: kit.int("purged_to").notNull().default(0),
			/** Deliveries up to this sequence have the current order; null when all have. */
			relanedTo: kit.int("relaned_to"),
			maxPerSecond: kit.number("max_per_second"),
			/** After a resume: deliveries up to this sequence go out at this rate. */
			releaseUntil: kit.int("release_until"),
			releaseRate: kit.number("release_rate"),
			/** The token bucket for the rate that applies. */
			bucketTokens: kit.number("bucket_tokens"),
			bucketAt: kit.time("bucket_at"),
			lastSuccessAt: kit.time("last_success_at"),
			lastFailureAt: kit.time("last_failure_at"),
			lastError: kit.text("last_error"),
			/** The first failure since the last success. After five days the integration is paused. */
			failingSince: kit.time("failing_since"),
			createdAt: kit.time("created_at").notNull(),
			updatedAt: kit.time("updated_at").notNull(),
			deletedAt: kit.time("deleted_at"),
		},
		(t) => [
			kit.uniqueIndex("integration_uuid").on(t.uuid),
			kit.index("integration_list").on(t.companyUuid, t.createdAt),
		],
	);

	/**
	 * Every configuration that an integration has had. A delivery keeps the bytes of the configuration it was made with.
	 */
	const integrationConfiguration = kit.table("integration_configuration", {
		id: kit.id(),
		integrationId: kit
			.int("integration_id")
			.notNull()
			.references(() => integration.id),
		json: kit.text("json").notNull(),
		createdAt: kit.time("created_at").notNull(),
	});

	const event = kit.table("event", {
		id: kit.id(),
		uuid: kit.uuid("uuid").notNull(),
		companyUuid: owner(),
		eventId: kit.oneOf("event_id", EVENT_IDS as [EventId]).notNull(),
		userUuid: kit.uuid("user_uuid").notNull(),
		/** The record that the lane belongs to: for a lead note, the lead. */
		recordUuid: kit.uuid("record_uuid").notNull(),
		/** The entity's JSON: the bytes that every attempt sends. */
		entity: kit.text("entity").notNull(),
		createdAt: kit.time("created_at").notNull(),
	});

	const delivery = kit.table(
		"delivery",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull(),
			integrationId: kit
				.int("integration_id")
				.notNull()
				.references(() => integration.id),
			eventRowId: kit
				.int("event_row_id")
				.notNull()
				.references(() => event.id),
			configurationId: kit
				.int("configuration_id")
				.notNull()
				.references(() => integrationConfiguration.id),
			/** The record whose deliveries to the integration go out one at a time. */
			lane: kit.uuid("lane").notNull(),
			sequence: kit.int("sequence").notNull(),
			state: kit.oneOf("state", DELIVERY_STATES).notNull(),
			/** Only the head of a lane is ready; without an order, every waiting delivery is. */
			ready: kit.bool("ready").notNull(),
			dueAt: kit.time("due_at").notNull(),
			/** The rule behind `due_at` after a failed attempt. */
			dueRule: kit.oneOf("due_rule", DUE_RULES),
			attempts: kit.int("attempts").notNull(),
			/** The number of attempts before the last redelivery: the retry schedule starts again after them. */
			attemptsBefore: kit.int("attempts_before").notNull().default(0),
			/** When a failing head stops holding its lane up; null once it has. */
			passAt: kit.time("pass_at"),
			/** Whether its lane no longer waits for it. */
			passed: kit.bool("passed").notNull().default(false),
			/** Whether it was sent while an earlier one of its lane was unfinished, or after a later one. */
			outOfOrder: kit.bool("out_of_order").notNull().default(false),
			/** The fencing token: counts claims. A result is written only under the newest. */
			lease: kit.int("lease").notNull(),
			leaseUntil: kit.time("lease_until"),
			/** The lock of the worker that has it (`WorkerLock.id`). Null if only the lease tells when the claim ends. */
			workerId: kit.int("worker_id"),
			lastError: kit.text("last_error"),
			createdAt: kit.time("created_at").notNull(),
			finishedAt: kit.time("finished_at"),
		},
		(t) => [
			kit.uniqueIndex("delivery_uuid").on(t.uuid),
			kit.uniqueIndex("delivery_sequence").on(t.integrationId, t.sequence),
			kit
				.index("delivery_due")
				.on(t.integrationId, t.dueAt)
				.where(sql`ready and state = 'pending'`),
			kit
				.index("delivery_lane")
				.on(t.integrationId, t.lane, t.passed, t.sequence)
				.where(sql`state in ('pending', 'delivering')`),
			kit
				.index("delivery_pass")
				.on(t.integrationId, t.passAt)
				.where(sql`pass_at is not null and state = 'pending'`),
			kit
				.index("delivery_ended")
				.on(t.integrationId, t.state)
				.where(sql`state in ('failed', 'dropped')`),
			/** Finds an event's deliveries: used when a delivery is removed, and by the engine for the foreign key. */
			kit.index("delivery_event").on(t.eventRowId),
			kit.index("delivery_record").on(t.lane, t.integrationId, t.sequence),
			kit
				.index("delivery_lease")
				.on(t.leaseUntil)
				.where(sql`state = 'delivering'`),
		],
	);

	const attempt = kit.table(
		"attempt",
		{
			id: kit.id(),
			deliveryId: kit
				.int("delivery_id")
				.notNull()
				.references(() => delivery.id),
			number: kit.int("number").notNull(),
			startedAt: kit.time("started_at").notNull(),
			durationMs: kit.int("duration_ms").notNull(),
			status: kit.int("status"),
			failureClass: kit.text("failure_class"),
			failureStage: kit.text("failure_stage"),
			failureCode: kit.text("failure_code"),
			message: kit.text("message"),
			address: kit.text("address"),
			timings: kit.json<PhaseTimings>("timings"),
			retriedOnReset: kit.bool("retried_on_reset").notNull(),
			responseHeaders:
				kit.json<Record<string, string | string[]>>("response_headers"),
			responseBody: kit.text("response_body"),
		},
		(t) => [kit.index("attempt_delivery").on(t.deliveryId, t.number)],
	);

	/** Hourly counts per integration, so that health never counts rows. */
	const deliveryRollup = kit.table(
		"delivery_rollup",
		{
			id: kit.id(),
			integrationId: kit
				.int("integration_id")
				.notNull()
				.references(() => integration.id),
			hourAt: kit.time("hour_at").notNull(),
			delivered: kit.int("delivered").notNull(),
			failed: kit.int("failed").notNull(),
		},
		(t) => [
			kit.uniqueIndex("delivery_rollup_hour").on(t.integrationId, t.hourAt),
		],
	);

	return {
		integration,
		integrationConfiguration,
		event,
		delivery,
		attempt,
		deliveryRollup,
	};
}
