import type { Integration, WebhookEvent } from "@partnerwire/contract";
import { and, asc, gt, gte, inArray, or, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { isBeingWritten, readHorizon } from "../db/postgres/horizon.ts";
import { defineQuery } from "../db/prepared.ts";
import {
	selectWebhookEvents,
	statusOf,
} from "../delivery/emit/webhook-event-view.ts";
import { CLOCK_SKEW_MS } from "../values/clock-skew.ts";
import { toIso } from "../values/times.ts";
import { type KeyCursor, moveKeys, toKeyCursor } from "./watched-keys.ts";

/** How far somebody who watches deliveries has got. */
export interface WatchCursor {
	readonly deliveries: KeyCursor;
	readonly attempts: KeyCursor;
	/** Rows of then may have been left out: once all transactions before this one are over, whoever watches is to look for itself. */
	readonly lookAfter: number | null;
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
/**
 * An entry of the audit log is readable so long after its time, at the latest: its process's clock may be behind, and it is
 * committed with its change.
 */
const LATE_MS = CLOCK_SKEW_MS + 60_000;

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
			.select({ id: delivery.id, deliveryId: delivery.id })
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

/** Those of the gaps that have come. */
const readGaps = (
	{ query, tables }: Db,
	name: "delivery" | "attempt",
	{ gaps }: KeyCursor,
) => {
	const { delivery, attempt } = tables;
	const keys = [...gaps.keys()];
	if (keys.length === 0) return [];
	return name === "delivery"
		? query
				.select({ id: delivery.id, deliveryId: delivery.id })
				.from(delivery)
				.where(inArray(delivery.id, keys))
				.orderBy(asc(delivery.id))
		: query
				.select({ id: attempt.id, deliveryId: attempt.deliveryId })
				.from(attempt)
				.where(inArray(attempt.id, keys))
				.orderBy(asc(attempt.id));
};

/** Begins anew with the newest rows. */
async function skipToNewest(
	db: Db,
): Promise<Pick<WatchCursor, "deliveries" | "attempts" | "lookAfter">> {
	const [keys] = await newest(db);
	// In this order: what is committed in between is there for whoever looks from now on.
	const isMore = db.postgres ? await isBeingWritten(db.postgres) : false;
	return {
		deliveries: toKeyCursor(keys?.deliveryId ?? 0),
		attempts: toKeyCursor(keys?.attemptId ?? 0),
		lookAfter:
			db.postgres && isMore ? (await readHorizon(db.postgres)).to : null,
	};
}

/** Begins to watch: what happens from now on is told. */
export async function beginWatch(db: Db, nowMs: number): Promise<WatchCursor> {
	const since = nowMs - LATE_MS;
	const entries = await selectEntries(db, since);
	return {
		...(await skipToNewest(db)),
		since,
		seen: new Set(entries.map(({ uuid }) => uuid)),
	};
}

/**
 * What happened to the deliveries and integrations of some companies since the last look, by whichever process: found by key and by
 * the index of the audit log, however much is stored.
 */
export async function watch(
	db: Db,
	cursor: WatchCursor,
	companyUuids: readonly string[],
	nowMs: number,
): Promise<Watched> {
	const { deliveries, attempts, since, seen } = cursor;
	// Before the rows: what it says is over can be seen in them.
	const horizon = db.postgres ? await readHorizon(db.postgres) : null;
	const isToLook =
		cursor.lookAfter !== null && cursor.lookAfter <= (horizon?.from ?? 0);
	const made = [
		...(await readGaps(db, "delivery", deliveries)),
		...(await newDeliveries(db, { after: deliveries.after })),
	];
	const attempted = [
		...(await readGaps(db, "attempt", attempts)),
		...(await newAttempts(db, { after: attempts.after })),
	];
	const entries = await selectEntries(db, since, {
		companyUuids,
		most: seen.size + MOST + 1,
	});
	const fresh = entries.filter(({ uuid }) => !seen.has(uuid));
	const next = {
		since: Math.max(since, nowMs - LATE_MS),
		seen: new Set(entries.map(({ uuid }) => uuid)),
	};
	const nothing = { overflow: true, deliveries: [], integrations: [] };
	if ([made, attempted, fresh].some((found) => found.length > MOST)) {
		const all = await selectEntries(db, next.since, { companyUuids });
		const seen = new Set(all.map(({ uuid }) => uuid));
		return {
			cursor: { ...(await skipToNewest(db)), since: next.since, seen },
			...nothing,
		};
	}
	const moved = {
		...next,
		deliveries: moveKeys(deliveries, idsOf(made), horizon),
		attempts: moveKeys(attempts, idsOf(attempted), horizon),
	};
	if (isToLook) return { cursor: { ...moved, lookAfter: null }, ...nothing };
	const uuidsOf = (entity: string) =>
		fresh.filter((one) => one.entity === entity).map((one) => one.entityUuid);
	const ids = [...made, ...attempted].map(({ deliveryId }) => deliveryId);
	return {
		cursor: { ...moved, lookAfter: cursor.lookAfter },
		overflow: false,
		deliveries: await readDeliveries(db, companyUuids, nowMs, {
			ids: [...new Set(ids)],
			uuids: [...new Set(uuidsOf("webhook_event"))],
		}),
		integrations: await readIntegrations(db, uuidsOf("integration")),
	};
}

const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);

/** What people, and the service itself, did to integrations and single deliveries. */
function selectEntries(
	{ query, tables: { audit } }: Db,
	since: number,
	of?: { readonly companyUuids: readonly string[]; readonly most?: number },
) {
	const found = query
		.select({
			uuid: audit.uuid,
			entity: audit.entity,
			entityUuid: audit.entityUuid,
		})
		.from(audit)
		.where(
			and(
				gte(audit.createdAt, since),
				of && inArray(audit.companyUuid, [...of.companyUuids]),
				// Spelled as in the partial index, without which SQLite does not use it.
				sql`${audit.entity} in ('integration', 'webhook_event')`,
			),
		);
	return of?.most === undefined ? found : found.limit(of.most);
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
