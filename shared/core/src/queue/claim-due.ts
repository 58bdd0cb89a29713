import type { EventId } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Store } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import type { StoredIntegration } from "../secrets/integration-secrets.ts";
import { findDueIntegrations } from "./due-integrations.ts";
import { spendTokens, tokensOf } from "./release-rate.ts";

/** A delivery that this worker may attempt until its lease ends. */
export interface ClaimedDelivery {
	readonly id: number;
	readonly uuid: string;
	readonly lane: string;
	readonly sequence: number;
	/** The number of attempts before this one. */
	readonly attempts: number;
	/** How many of them belong to earlier rounds of the retry schedule. */
	readonly attemptsBefore: number;
	/** The fencing token: a result is taken only under it. */
	readonly lease: number;
	readonly integration: StoredIntegration;
	readonly eventId: EventId;
	readonly userUuid: string;
	readonly entity: string;
	readonly configuration: string;
}

export interface ClaimOptions {
	/** The application clock, which says what is due. */
	nowMs: number;
	/** The most deliveries to claim. */
	limit: number;
	/** How long they stay this worker's, by the database's clock. */
	leaseMs: number;
}

// The conditions on `state` and `ready` are spelled as in the partial indexes, without which SQLite does not use them.
const dueHeads = defineQuery(
	"due_heads",
	({
		query,
		tables: { delivery, event, integrationConfiguration: configuration },
	}) =>
		query
			.select({
				id: delivery.id,
				uuid: delivery.uuid,
				lane: delivery.lane,
				sequence: delivery.sequence,
				attempts: delivery.attempts,
				attemptsBefore: delivery.attemptsBefore,
				lease: sql<number>`${delivery.lease} + 1`,
				eventId: event.eventId,
				userUuid: event.userUuid,
				entity: event.entity,
				configuration: configuration.json,
			})
			.from(delivery)
			.innerJoin(event, eq(event.id, delivery.eventRowId))
			.innerJoin(configuration, eq(configuration.id, delivery.configurationId))
			.where(
				and(
					eq(delivery.integrationId, sql.placeholder("integrationId")),
					sql`${delivery.ready} and ${delivery.state} = 'pending'`,
					sql`${delivery.dueAt} <= ${sql.placeholder("nowMs")}`,
				),
			)
			.orderBy(delivery.dueAt, delivery.id)
			// An expression, not a bare parameter, for which SQLite would prepare the statement anew at each execution.
			.limit(sql`${sql.placeholder("limit")} + 0` as unknown as number),
);

const take = defineQuery(
	"take_delivery",
	({ query, tables: { delivery }, dialect }) =>
		query
			.update(delivery)
			.set({
				state: "delivering",
				lease: sql`${sql.placeholder("lease")}`,
				leaseUntil: sql`${dialect.now()} + ${sql.placeholder("leaseMs")}`,
			})
			.where(eq(delivery.id, sql.placeholder("id"))),
);

/**
 * Claims due lane heads, evenly over the integrations that have any, oldest first. At-least-once: what is claimed and
 * not settled comes back when its lease ends.
 */
export async function claimDue(
	store: Store,
	options: ClaimOptions,
): Promise<ClaimedDelivery[]> {
	const { nowMs } = options;
	if ((await findDueIntegrations(store.read, { nowMs })).length === 0)
		return [];
	return store.write(async (db) =>
		// Looked up again: a pause, a new secret or another worker's claim may have been written since.
		claimFrom(await findDueIntegrations(db, { nowMs }), db, options),
	);
}

async function claimFrom(
	due: StoredIntegration[],
	db: Db,
	{ nowMs, limit, leaseMs }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
	const claimed: ClaimedDelivery[] = [];
	let left = limit;
	for (const [index, integration] of due.entries()) {
		const share = Math.ceil(left / (due.length - index));
		const allowed = Math.min(share, tokensOf(integration, nowMs));
		if (allowed < 1) continue;
		const heads = await dueHeads(db, {
			integrationId: integration.id,
			nowMs,
			limit: allowed,
		});
		for (const head of heads) {
			await take(db, { id: head.id, lease: head.lease, leaseMs });
			claimed.push({ ...head, integration });
		}
		await spendTokens(db, integration, heads.length, nowMs);
		left -= heads.length;
	}
	return claimed;
}
