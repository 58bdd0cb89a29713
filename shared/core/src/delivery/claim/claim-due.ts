import type { EventId } from "@partnerwire/wire";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { claimBatch } from "./claim-batch.ts";
import { groupDue } from "./claim-groups.ts";
import { type ClaimOptions, type ClaimRoom, roomOf } from "./claim-room.ts";
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
	/** The number of those that belong to earlier rounds of the retry schedule. */
	readonly attemptsBefore: number;
	/** The fencing token: a result is written only under it. */
	readonly lease: number;
	readonly integration: ClaimedIntegration;
	readonly eventId: EventId;
	readonly userUuid: string;
	readonly entity: string;
	readonly configuration: string;
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
			// An expression: with a bare parameter here, SQLite prepares the statement again for each execution.
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
 * Claims due lane heads: of each integration the oldest first, evenly over the integrations visited, and over all
 * integrations in turn (see `groupDue`). At-least-once: a claimed delivery that is not recorded comes back when its
 * lease ends.
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
 * Whether a claim would find anything: a claim that finds nothing costs a transaction. The claim looks again, because
 * much may have changed by then.
 */
export async function isAnythingDue(
	findDue: FindDue,
	options: Parameters<FindDue>[0],
): Promise<boolean> {
	for await (const _ of findDue(options)) return true;
	return false;
}

/** `claimDue` inside a transaction. */
export async function claimIn(
	db: Db,
	o: ClaimOptions & ClaimRoom,
	findDue: FindDue = createFindDue(db),
): Promise<ClaimedDelivery[]> {
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
	o: ClaimOptions & ClaimRoom,
): Promise<ClaimedDelivery[]> {
	const integrations = [...(await readClaimable(db, due)).values()];
	const claimed: ClaimedDelivery[] = [];
	const countsByIntegration: [ClaimedIntegration, number][] = [];
	for (const [index, integration] of integrations.entries()) {
		const left = integrations.length - index;
		const allowed = Math.min(
			Math.ceil((o.limit - claimed.length) / left),
			roomOf(integration.id, o),
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
		countsByIntegration.push([integration, heads.length]);
	}
	if (claimed.length === 0) return [];
	const ids = db.dialect.toList(claimed.map(({ id }) => id));
	await take(db, { ids, leaseMs: o.leaseMs });
	// After taking them: a release ends when no held delivery is left.
	for (const [integration, count] of countsByIntegration)
		await spendTokens(db, integration, count, o.nowMs);
	return claimed;
}
