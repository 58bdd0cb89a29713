import type { EventId } from "@partnerwire/wire";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { claimBatch } from "./claim-batch.ts";
import { groupDue } from "./claim-groups.ts";
import {
	type ClaimedIntegration,
	readClaimable,
} from "./claimed-integrations.ts";
import { createFindDue, type FindDue } from "./due-integrations.ts";
import { resetTokenBucket, spendTokens, tokensOf } from "./release-rate.ts";

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
	readonly integration: ClaimedIntegration;
	readonly eventId: EventId;
	readonly userUuid: string;
	readonly entity: string;
	readonly configuration: string;
}

export interface ClaimOptions {
	/** The application clock, which says what is due. */
	nowMs: number;
	/** How long they stay this worker's, by the database's clock. */
	leaseMs: number;
}

/** What may be claimed. */
export interface ClaimRoom {
	/** The most deliveries to claim. */
	limit: number;
	/** The integration after which to begin: going round, nobody is always last. */
	after?: number;
	/** The most deliveries of an integration to claim. */
	roomOf?: (integrationId: number) => number;
	/** Bounds what all workers on PostgreSQL have under way of an integration, as soon as there are several of them. */
	across?: {
		readonly most: number;
		/** How many of an integration this worker has claimed and not settled. */
		heldHere(integrationId: number): number;
		/**
		 * Whether to begin with integrations of which no other worker has any. Now and then not: those of a worker that comes to
		 * nothing are not left to it.
		 */
		readonly freeFirst?: boolean;
	};
}

/** A claim that knows how many of each integration it may take. */
export type ClaimWithRooms = ClaimOptions &
	ClaimRoom &
	Required<Pick<ClaimRoom, "roomOf">>;

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
	"take_deliveries",
	({ query, tables: { delivery }, dialect }) =>
		query
			.update(delivery)
			.set({
				state: "delivering",
				lease: sql`${delivery.lease} + 1`,
				leaseUntil: sql`${dialect.now()} + ${sql.placeholder("leaseMs")}`,
			})
			.where(
				and(
					dialect.isAmong(delivery.id, sql.placeholder("ids")),
					eq(delivery.state, "pending"),
				),
			),
);

/**
 * Claims due lane heads, of each integration the oldest first, evenly over those that it visits, and in turn over all that have
 * any (see `groupDue`). At-least-once: what is claimed and not settled comes back when its lease ends.
 */
export async function claimDue(
	store: Store,
	options: ClaimOptions & ClaimRoom,
): Promise<ClaimedDelivery[]> {
	if (!(await isAnythingDue(createFindDue(store.readUnsynced), options)))
		return [];
	return store.write((db) => claimIn(db, options));
}

/**
 * Whether a claim would find anything: one that finds nothing would be a transaction of its own. The claim looks again,
 * because much may have changed.
 */
export async function isAnythingDue(
	findDue: FindDue,
	options: ClaimOptions & ClaimRoom,
): Promise<boolean> {
	for await (const _ of findDue({ ...ANY, ...options })) return true;
	return false;
}

const ANY = { after: 0, roomOf: () => Number.POSITIVE_INFINITY };

/** `claimDue` inside a transaction. */
export async function claimIn(
	db: Db,
	options: ClaimOptions & ClaimRoom,
	findDue: FindDue = createFindDue(db),
): Promise<ClaimedDelivery[]> {
	const o = { ...ANY, ...options };
	const claimed: ClaimedDelivery[] = [];
	for await (const group of groupDue(db, findDue(o), o)) {
		const rest = { ...o, limit: o.limit - claimed.length };
		claimed.push(
			...(db.postgres
				? await claimBatch(db, db.postgres, group, rest)
				: await claimOneByOne(db, group, rest)),
		);
		if (claimed.length >= o.limit) break;
	}
	return claimed;
}

async function claimOneByOne(
	db: Db,
	due: readonly number[],
	o: ClaimWithRooms,
): Promise<ClaimedDelivery[]> {
	const integrations = [...(await readClaimable(db, due)).values()];
	const claimed: ClaimedDelivery[] = [];
	const taken: [ClaimedIntegration, number][] = [];
	for (const [index, integration] of integrations.entries()) {
		const left = integrations.length - index;
		const allowed = Math.min(
			Math.ceil((o.limit - claimed.length) / left),
			o.roomOf(integration.id),
			tokensOf(integration, o.nowMs),
		);
		if (allowed < 1) {
			await resetTokenBucket(db, integration, o.nowMs);
			continue;
		}
		const heads = await dueHeads(db, {
			integrationId: integration.id,
			nowMs: o.nowMs,
			limit: allowed,
		});
		for (const head of heads) {
			claimed.push({
				id: head.id,
				uuid: head.uuid,
				lane: head.lane,
				sequence: head.sequence,
				attempts: head.attempts,
				attemptsBefore: head.attemptsBefore,
				lease: head.lease,
				integration,
				eventId: head.eventId,
				userUuid: head.userUuid,
				entity: head.entity,
				configuration: head.configuration,
			});
		}
		taken.push([integration, heads.length]);
	}
	if (claimed.length === 0) return [];
	const ids = db.dialect.toList(claimed.map(({ id }) => id));
	await take(db, { ids, leaseMs: o.leaseMs });
	// Afterwards: what is taken is no longer held.
	for (const [integration, count] of taken)
		await spendTokens(db, integration, count, o.nowMs);
	return claimed;
}
