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

/** The position of a client that watches deliveries. */
export interface WatchCursor {
	readonly deliveries: KeyCursor;
	readonly attempts: KeyCursor;
	/**
	 * Set after a jump to the newest rows, which may have skipped uncommitted ones. Once all transactions before this one
	 * have ended, the client must reload.
	 */
	readonly lookAfter: number | null;
	/** Audit entries are read from this time on; those in `seen` were reported already. */
	readonly since: number;
	readonly seen: ReadonlySet<string>;
}

/** A delivery that was created, attempted, skipped or requeued. Its status is the current one. */
interface WatchedDelivery
	extends Pick<
		WebhookEvent,
		"uuid" | "integration_id" | "event_id" | "status"
	> {
	readonly companyUuid: string;
	/** When the change was seen. */
	readonly updated_at: string;
}

/** An integration that somebody changed. */
interface WatchedIntegration extends Pick<Integration, "id" | "status"> {
	readonly companyUuid: string;
}

export interface Watched {
	readonly cursor: WatchCursor;
	/** More happened than can be reported: the client must reload. */
	readonly overflow: boolean;
	readonly deliveries: readonly WatchedDelivery[];
	readonly integrations: readonly WatchedIntegration[];
}

/** The most changes in one report. */
const MOST = 250;
/**
 * An audit entry becomes readable at most this long after its time: its process's clock may be behind, and it is
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

/** Reads the rows of gaps that are committed by now. */
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

/** Jumps to the newest rows. */
async function skipToNewest(
	db: Db,
): Promise<Pick<WatchCursor, "deliveries" | "attempts" | "lookAfter">> {
	const [keys] = await newest(db);
	// In this order: rows committed in between are found by a client that reloads now.
	const isMore = db.postgres ? await isBeingWritten(db.postgres) : false;
	return {
		deliveries: toKeyCursor(keys?.deliveryId ?? 0),
		attempts: toKeyCursor(keys?.attemptId ?? 0),
		lookAfter:
			db.postgres && isMore ? (await readHorizon(db.postgres)).to : null,
	};
}

/** Begins to watch: everything from now on is reported. */
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
 * Finds the changes of deliveries and integrations of some companies since the last call, by any process. It reads by
 * key and by the index of the audit log, so the cost does not depend on the number of stored rows.
 */
export async function watch(
	db: Db,
	cursor: WatchCursor,
	companyUuids: readonly string[],
	nowMs: number,
): Promise<Watched> {
	const { deliveries, attempts, since, seen } = cursor;
	// Read before the rows: the changes of transactions that it reports as ended are visible in them.
	const horizon = db.postgres ? await readHorizon(db.postgres) : null;
	const mustReload =
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
	if (mustReload) return { cursor: { ...moved, lookAfter: null }, ...nothing };
	const uuidsOf = (entity: string) =>
		fresh
			.filter((entry) => entry.entity === entity)
			.map((entry) => entry.entityUuid);
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

/** Reads audit entries of integrations and single deliveries, by users and by Partnerwire itself. */
function selectEntries(
	{ query, tables: { audit } }: Db,
	since: number,
	limits?: { readonly companyUuids: readonly string[]; readonly most?: number },
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
				limits && inArray(audit.companyUuid, [...limits.companyUuids]),
				// Spelled as in the partial index, without which SQLite does not use it.
				sql`${audit.entity} in ('integration', 'webhook_event')`,
			),
		);
	return limits?.most === undefined ? found : found.limit(limits.most);
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
	return found.map((event) => ({
		companyUuid: event.companyUuid,
		uuid: event.row.uuid,
		integration_id: event.integration.uuid,
		event_id: event.eventId,
		status: statusOf(event),
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
