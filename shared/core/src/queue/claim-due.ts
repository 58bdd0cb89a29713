import type { EventId } from "@partnerwire/contract";
import { and, eq, inArray, sql } from "drizzle-orm";
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
const claim = defineQuery(
	"claim_due",
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
					inArray(
						delivery.id,
						query
							.select({ id: delivery.id })
							.from(delivery)
							.where(
								and(
									eq(delivery.integrationId, sql.placeholder("integrationId")),
									sql`${delivery.ready} and ${delivery.state} = 'pending'`,
									sql`${delivery.dueAt} <= ${sql.placeholder("nowMs")}`,
								),
							)
							.orderBy(delivery.dueAt, delivery.id)
							.limit(sql.placeholder("limit")),
					),
					eq(delivery.state, "pending"),
				),
			)
			.returning({
				id: delivery.id,
				uuid: delivery.uuid,
				lane: delivery.lane,
				sequence: delivery.sequence,
				attempts: delivery.attempts,
				attemptsBefore: delivery.attemptsBefore,
				lease: delivery.lease,
				eventRowId: delivery.eventRowId,
				configurationId: delivery.configurationId,
			}),
);

const findEvent = defineQuery(
	"event_of_delivery",
	({ query, tables: { event, integrationConfiguration } }) =>
		query
			.select({
				eventId: event.eventId,
				userUuid: event.userUuid,
				entity: event.entity,
				configuration: integrationConfiguration.json,
			})
			.from(event)
			.innerJoin(
				integrationConfiguration,
				eq(integrationConfiguration.id, sql.placeholder("configurationId")),
			)
			.where(eq(event.id, sql.placeholder("eventRowId"))),
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
	const claimed = await store.write(async (db) =>
		// Looked up again: a pause, a new secret or another worker's claim may have been written since.
		claimFrom(await findDueIntegrations(db, { nowMs }), db, options),
	);
	return Promise.all(
		claimed.map(async ({ eventRowId, configurationId, ...delivery }) => {
			const [event] = await findEvent(store.read, {
				eventRowId,
				configurationId,
			});
			if (!event) throw new TypeError(`delivery ${delivery.uuid} has no event`);
			return { ...delivery, ...event };
		}),
	);
}

async function claimFrom(
	due: StoredIntegration[],
	db: Db,
	{ nowMs, limit, leaseMs }: ClaimOptions,
) {
	const claimed = [];
	let left = limit;
	for (const [index, integration] of due.entries()) {
		const share = Math.ceil(left / (due.length - index));
		const allowed = Math.min(share, tokensOf(integration, nowMs));
		if (allowed < 1) continue;
		const rows = await claim(db, {
			integrationId: integration.id,
			nowMs,
			leaseMs,
			limit: allowed,
		});
		await spendTokens(db, integration, rows.length, nowMs);
		claimed.push(...rows.map((row) => ({ ...row, integration })));
		left -= rows.length;
	}
	return claimed;
}
