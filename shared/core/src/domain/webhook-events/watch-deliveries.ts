import type { Integration, WebhookEvent } from "@partnerwire/contract";
import { and, asc, gt, gte, inArray, or, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { toIso } from "../times.ts";
import { selectWebhookEvents, statusOf } from "./webhook-event-view.ts";

/** How far somebody who watches deliveries has got. */
export interface WatchCursor {
	readonly deliveryId: number;
	readonly attemptId: number;
	/** What people did is looked for from this time on, and told once: their entries of the audit log that were seen. */
	readonly since: number;
	readonly seen: ReadonlySet<string>;
}

/** A delivery that was made, attempted, skipped or given back; its status is that of now. */
export interface WatchedDelivery
	extends Pick<
		WebhookEvent,
		"uuid" | "integration_id" | "event_id" | "status"
	> {
	readonly companyUuid: string;
	/** When the change was seen. */
	readonly updated_at: string;
}

/** An integration that somebody changed. */
export interface WatchedIntegration extends Pick<Integration, "id" | "status"> {
	readonly companyUuid: string;
}

export interface Watched {
	readonly cursor: WatchCursor;
	/** More happened than can be told: whoever watches is to look for itself. */
	readonly overflow: boolean;
	readonly deliveries: readonly WatchedDelivery[];
	readonly integrations: readonly WatchedIntegration[];
}

/** Changes told at once. */
const MOST = 250;
/** An entry of the audit log is readable so long after its time, at the latest: it is committed with its change. */
const LATE_MS = 5000;

const newest = defineQuery("newest_keys", ({ query, tables }: Db) => {
	const { delivery, attempt, company } = tables;
	return query
		.select({
			deliveryId: sql<number>`coalesce((select max(${delivery.id}) from ${delivery}), 0)`,
			attemptId: sql<number>`coalesce((select max(${attempt.id}) from ${attempt}), 0)`,
		})
		.from(company)
		.limit(1);
});

const newDeliveries = defineQuery(
	"deliveries_after",
	({ query, tables: { delivery } }: Db) =>
		query
			.select({ id: delivery.id })
			.from(delivery)
			.where(gt(delivery.id, sql.placeholder("after")))
			.orderBy(asc(delivery.id))
			.limit(MOST + 1),
);

const newAttempts = defineQuery(
	"attempts_after",
	({ query, tables: { attempt } }: Db) =>
		query
			.select({ id: attempt.id, deliveryId: attempt.deliveryId })
			.from(attempt)
			.where(gt(attempt.id, sql.placeholder("after")))
			.orderBy(asc(attempt.id))
			.limit(MOST + 1),
);

/** Begins to watch: what happens from now on is told. */
export async function beginWatch(db: Db, nowMs: number): Promise<WatchCursor> {
	const [keys] = await newest(db);
	const { deliveryId = 0, attemptId = 0 } = keys ?? {};
	return { deliveryId, attemptId, since: nowMs, seen: new Set() };
}

/**
 * What happened to the deliveries and integrations of some companies since the last look, by whichever process: found by key and by
 * the index of the audit log, however much is stored.
 */
export async function watch(
	db: Db,
	{ deliveryId, attemptId, since, seen }: WatchCursor,
	companyUuids: readonly string[],
	nowMs: number,
): Promise<Watched> {
	const made = await newDeliveries(db, { after: deliveryId });
	const attempted = await newAttempts(db, { after: attemptId });
	const entries = await readEntries(db, companyUuids, since);
	const cursor = {
		deliveryId: made.at(-1)?.id ?? deliveryId,
		attemptId: attempted.at(-1)?.id ?? attemptId,
		since: Math.max(since, nowMs - LATE_MS),
		seen: new Set(entries.map(({ uuid }) => uuid)),
	};
	if ([made, attempted, entries].some((found) => found.length > MOST)) {
		const [keys] = await newest(db);
		const nothing = { overflow: true, deliveries: [], integrations: [] };
		return { cursor: { ...cursor, ...keys }, ...nothing };
	}
	const fresh = entries.filter(({ uuid }) => !seen.has(uuid));
	const uuidsOf = (entity: string) =>
		fresh.filter((one) => one.entity === entity).map((one) => one.entityUuid);
	const ids = [
		...made.map(({ id }) => id),
		...attempted.map((one) => one.deliveryId),
	];
	return {
		cursor,
		overflow: false,
		deliveries: await readDeliveries(db, companyUuids, nowMs, {
			ids: [...new Set(ids)],
			uuids: [...new Set(uuidsOf("webhook_event"))],
		}),
		integrations: await readIntegrations(db, uuidsOf("integration")),
	};
}

/** What people, and the service itself, did to integrations and single deliveries. */
function readEntries(
	{ query, tables: { audit } }: Db,
	companyUuids: readonly string[],
	since: number,
) {
	return query
		.select({
			uuid: audit.uuid,
			entity: audit.entity,
			entityUuid: audit.entityUuid,
		})
		.from(audit)
		.where(
			and(
				inArray(audit.companyUuid, [...companyUuids]),
				gte(audit.createdAt, since),
				inArray(audit.entity, ["integration", "webhook_event"]),
			),
		)
		.limit(MOST + 1);
}

async function readDeliveries(
	db: Db,
	companyUuids: readonly string[],
	nowMs: number,
	{ ids, uuids }: { ids: number[]; uuids: string[] },
): Promise<WatchedDelivery[]> {
	if (ids.length + uuids.length === 0) return [];
	const { delivery, integration } = db.tables;
	const found = await selectWebhookEvents(db)
		.where(
			and(
				or(inArray(delivery.id, ids), inArray(delivery.uuid, uuids)),
				inArray(integration.companyUuid, [...companyUuids]),
			),
		)
		.orderBy(asc(delivery.id));
	return found.map((one) => ({
		companyUuid: one.companyUuid,
		uuid: one.row.uuid,
		integration_id: one.integration.uuid,
		event_id: one.eventId,
		status: statusOf(one),
		updated_at: toIso(nowMs),
	}));
}

async function readIntegrations(
	{ query, tables: { integration } }: Db,
	uuids: readonly string[],
): Promise<WatchedIntegration[]> {
	if (uuids.length === 0) return [];
	return query
		.select({
			companyUuid: integration.companyUuid,
			id: integration.uuid,
			status: integration.status,
		})
		.from(integration)
		.where(inArray(integration.uuid, [...uuids]));
}
