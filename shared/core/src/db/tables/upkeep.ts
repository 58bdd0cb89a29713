import type { EventId } from "@partnerwire/wire";
import { sql } from "drizzle-orm";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { DeliveryState, defineWebhookTables } from "./webhooks.ts";

const REPLAY_STATUSES = ["running", "completed", "cancelled"] as const;

/** The kinds of alerts about an integration. */
const ALERT_KINDS = ["paused", "failing", "overdue", "recovered"] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Work beside the queue that must survive a restart: replays and alerts. */
export function defineUpkeepTables(
	kit: ColumnKit,
	{ company }: AccessTables,
	{ integration }: ReturnType<typeof defineWebhookTables>,
) {
	const integrationId = () =>
		kit
			.int("integration_id")
			.notNull()
			.references(() => integration.id);

	const webhookReplay = kit.table(
		"webhook_replay",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull(),
			companyUuid: kit
				.uuid("company_uuid")
				.notNull()
				.references(() => company.uuid),
			integrationId: integrationId(),
			status: kit.oneOf("status", REPLAY_STATUSES).notNull(),
			/**
			 * The selection: deliveries created at or after `since_at` and before `until_at`, in these states, of these
			 * events.
			 */
			sinceAt: kit.time("since_at"),
			untilAt: kit.time("until_at"),
			states: kit.json<DeliveryState[]>("states").notNull(),
			eventIds: kit.json<EventId[]>("event_ids").notNull(),
			fresh: kit.bool("fresh").notNull(),
			ratePerSecond: kit.int("rate_per_second").notNull(),
			/** The number selected when the job was made, the number requeued, and the number that could not be. */
			matched: kit.int("matched").notNull(),
			replayed: kit.int("replayed").notNull(),
			skipped: kit.int("skipped").notNull(),
			/** The job has read the deliveries up to this sequence; it ends at `end_sequence`. */
			cursor: kit.int("cursor").notNull(),
			endSequence: kit.int("end_sequence").notNull(),
			/** The token bucket that all processes share, in thousandths, so that nothing is lost to rounding. */
			tokens: kit.int("tokens").notNull(),
			tokensAt: kit.time("tokens_at").notNull(),
			reason: kit.text("reason"),
			createdAt: kit.time("created_at").notNull(),
			updatedAt: kit.time("updated_at").notNull(),
			finishedAt: kit.time("finished_at"),
		},
		(t) => [
			kit.uniqueIndex("webhook_replay_uuid").on(t.uuid),
			kit.index("webhook_replay_list").on(t.companyUuid, t.createdAt),
			kit
				.index("webhook_replay_running")
				.on(t.status)
				.where(sql`status = 'running'`),
		],
	);

	const alert = kit.table(
		"alert",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull(),
			integrationId: integrationId(),
			kind: kit.oneOf("kind", ALERT_KINDS).notNull(),
			/** When the reported state began. */
			sinceAt: kit.time("since_at").notNull(),
			/** The body that is sent. */
			body: kit.text("body").notNull(),
			attempts: kit.int("attempts").notNull(),
			/** When it is sent next; null once it was sent or given up, or if alerts are not sent anywhere. */
			dueAt: kit.time("due_at"),
			/** The fencing token of the process that sends it, and the end of its lease by the database's clock. */
			lease: kit.int("lease").notNull().default(0),
			leaseUntil: kit.time("lease_until"),
			createdAt: kit.time("created_at").notNull(),
		},
		(t) => [
			kit
				.index("alert_of_integration")
				.on(t.integrationId, t.kind, t.createdAt),
			kit.index("alert_due").on(t.dueAt).where(sql`due_at is not null`),
		],
	);

	return { webhookReplay, alert };
}
