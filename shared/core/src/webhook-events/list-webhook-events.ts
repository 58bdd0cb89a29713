import { type InputOf, NIL_UUID, type ResponseOf } from "@partnerwire/contract";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import {
	selectWebhookEvents,
	toWebhookEvent,
} from "../delivery/emit/webhook-event-view.ts";
import { fromIso } from "../values/times.ts";
import {
	countByCounters,
	countDeliveries,
	countWaiting,
} from "./count-webhook-events.ts";

type Query = InputOf<"listWebhookEvents">["query"];
type Owner = Awaited<ReturnType<typeof findOwners>>[number];

/** Below this number, all waiting deliveries are read and sorted. From there on, a scan by key finds a page sooner. */
const FEW = 20_000;

const findOwners = (
	{ query, tables: { integration } }: Db,
	companyUuid: string,
	uuid: string | undefined,
) =>
	query
		.select({
			id: integration.id,
			status: integration.status,
			deletedAt: integration.deletedAt,
			sequence: integration.sequence,
			settled: integration.settled,
			purged: integration.purged,
		})
		.from(integration)
		.where(
			and(
				eq(integration.companyUuid, companyUuid),
				uuid === undefined ? undefined : eq(integration.uuid, uuid),
			),
		);

/**
 * Integrations that can have deliveries of the status: pending ones are of active integrations, held ones of paused
 * ones.
 */
const ownersFor = (owners: readonly Owner[], status: Query["status"]) =>
	status === "pending" || status === "held"
		? owners.filter(
				({ deletedAt, ...owner }) =>
					deletedAt === null &&
					(owner.status === "paused") === (status === "held"),
			)
		: owners;

/** The condition on the state, spelled so that SQLite uses a partial index where one helps. */
function whenStatus(
	{ delivery }: Db["tables"],
	owners: readonly Owner[],
	status: Query["status"],
): SQL | undefined {
	if (status === undefined) return undefined;
	if (status === "failed" || status === "dropped")
		return sql`${delivery.state} in ('failed', 'dropped') and ${delivery.state} = ${status}`;
	if (status !== "pending" && status !== "held")
		return status === "delivering"
			? sql`${delivery.state} = 'delivering'`
			: eq(delivery.state, status);
	// True for every lane: it makes SQLite use the index of unfinished deliveries.
	return countWaiting(owners) < FEW
		? sql`${delivery.state} in ('pending', 'delivering') and ${delivery.state} = 'pending' and ${delivery.lane} >= ${NIL_UUID}`
		: eq(delivery.state, "pending");
}

/**
 * Reads one page of the company's deliveries, newest first (docs/decisions.md#webhook-events). They are ordered by row
 * id, the order in which they were written: sorting millions of them by time would need an index that every event pays
 * for.
 */
export async function listWebhookEvents(
	query: Query,
	{ db, caller, nowMs }: Context,
): Promise<ResponseOf<"listWebhookEvents">> {
	const { delivery, event } = db.tables;
	const all = await findOwners(db, caller.companyUuid, query.integration_id);
	const owners = ownersFor(all, query.status);
	const after = fromIso(query.created_after);
	const before = fromIso(query.created_before);
	const filters = [
		query.record_uuid === undefined
			? undefined
			: eq(delivery.lane, query.record_uuid.toLowerCase()),
		query.event_id === undefined
			? undefined
			: eq(event.eventId, query.event_id),
		after === undefined ? undefined : sql`${delivery.createdAt} > ${after}`,
		before === undefined ? undefined : sql`${delivery.createdAt} < ${before}`,
	];
	const where = and(
		inArray(
			delivery.integrationId,
			owners.map(({ id }) => id),
		),
		whenStatus(db.tables, owners, query.status),
		...filters,
	);
	const rows = await selectWebhookEvents(db)
		.where(where)
		.orderBy(desc(delivery.id))
		.limit(query.per_page)
		.offset((query.page - 1) * query.per_page);
	const known = filters.some(Boolean)
		? null
		: await countByCounters(db, owners, query.status);
	const joinsEvent = query.event_id !== undefined;
	const total = known ?? (await countDeliveries(db, where, { joinsEvent }));
	return {
		data: rows.map((row) => toWebhookEvent(row, nowMs)),
		pagination: {
			page: query.page,
			per_page: query.per_page,
			total,
			total_pages: Math.ceil(total / query.per_page),
		},
	};
}
