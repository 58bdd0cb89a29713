import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";

const DAY_MS = 24 * 3_600_000;
/** Where counting stops: there are never more attempts under way. */
const MOST_DELIVERING = 10_000;

/**
 * The state of the queue over all companies. It comes from counters, rollups and index probes; stored rows are never
 * counted.
 */
export interface QueueGauges {
	readonly integrations: Record<"active" | "paused", number>;
	/** Unfinished deliveries of active and of paused integrations. */
	readonly unfinished: Record<"pending" | "held", number>;
	readonly delivering: number;
	/** When the delivery that has been due the longest became due, in milliseconds since the epoch. */
	readonly oldestDueAt: Record<"pending" | "held", number | null>;
	/** Attempts of the last 24 hours. */
	readonly attempts: Record<"delivered" | "failed", number>;
	/** Since the beginning: events matched by integrations, and deliveries removed. */
	readonly matched: number;
	readonly purged: number;
	readonly replaysRunning: number;
}

/** Each integration with its counters, its oldest due head and the sums of its last hours: one index probe for each. */
export const selectPulses = defineQuery("pulses", ({ query, tables }: Db) => {
	const { integration, delivery, deliveryRollup: rollup } = tables;
	// Nested `sql`: Drizzle drops the table's name from columns outside an expression of their own.
	const oldestDue = sql<
		number | null
	>`(select ${delivery.dueAt} from ${delivery} where ${eq(delivery.integrationId, integration.id)} and ${sql`${delivery.ready} and ${delivery.state} = 'pending'`} order by ${asc(delivery.dueAt)} limit 1)`;
	const sumOf = (column: typeof rollup.delivered) =>
		sql<number>`(select coalesce(sum(${column}), 0) from ${rollup} where ${eq(rollup.integrationId, integration.id)} and ${sql`${rollup.hourAt} >= ${sql.placeholder("sinceMs")}`})`;
	return query
		.select({
			id: integration.id,
			uuid: integration.uuid,
			companyUuid: integration.companyUuid,
			label: integration.label,
			status: integration.status,
			pauseReason: integration.pauseReason,
			pausedAt: integration.pausedAt,
			deletedAt: integration.deletedAt,
			failingSince: integration.failingSince,
			lastSuccessAt: integration.lastSuccessAt,
			lastError: integration.lastError,
			sequence: integration.sequence,
			settled: integration.settled,
			purged: integration.purged,
			oldestDue,
			delivered: sumOf(rollup.delivered),
			failed: sumOf(rollup.failed),
		})
		.from(integration);
});
export type Pulse = Awaited<ReturnType<typeof selectPulses>>[number];

const countDelivering = defineQuery(
	"count_delivering",
	({ query, tables: { delivery } }) => {
		const some = query
			.select({ one: sql`1`.as("one") })
			.from(delivery)
			.where(
				sql`${delivery.state} = 'delivering' and ${delivery.leaseUntil} > 0`,
			)
			.limit(MOST_DELIVERING)
			.as("some");
		return query.select({ rows: sql<number>`count(*)` }).from(some);
	},
);

const countRunning = defineQuery(
	"count_running_replays",
	({ query, tables: { webhookReplay } }) =>
		query
			.select({ rows: sql<number>`count(*)` })
			.from(webhookReplay)
			.where(sql`${webhookReplay.status} = 'running'`),
);

/** Reads the gauges at `nowMs`. A delivery that is due only later has no age. */
export async function readGauges(db: Db, nowMs: number): Promise<QueueGauges> {
	const pulses = await selectPulses(db, { sinceMs: nowMs - DAY_MS });
	const [delivering] = await countDelivering(db);
	const [running] = await countRunning(db);
	const gauges = {
		integrations: { active: 0, paused: 0 },
		unfinished: { pending: 0, held: 0 },
		delivering: Number(delivering?.rows ?? 0),
		oldestDueAt: { pending: null, held: null } as QueueGauges["oldestDueAt"],
		attempts: { delivered: 0, failed: 0 },
		matched: 0,
		purged: 0,
		replaysRunning: Number(running?.rows ?? 0),
	};
	for (const pulse of pulses) {
		gauges.matched += pulse.sequence;
		gauges.purged += pulse.purged;
		gauges.attempts.delivered += Number(pulse.delivered);
		gauges.attempts.failed += Number(pulse.failed);
		if (pulse.deletedAt !== null) continue;
		gauges.integrations[pulse.status]++;
		const state = pulse.status === "paused" ? "held" : "pending";
		gauges.unfinished[state] += pulse.sequence - pulse.settled;
		const dueAt = dueBefore(pulse, nowMs);
		gauges.oldestDueAt[state] = earliest(gauges.oldestDueAt[state], dueAt);
	}
	return gauges;
}

/** When an integration's oldest due delivery became due, or null when none is. */
export const dueBefore = (
	{ oldestDue }: Pick<Pulse, "oldestDue">,
	nowMs: number,
): number | null =>
	oldestDue !== null && oldestDue <= nowMs ? oldestDue : null;

const earliest = (a: number | null, b: number | null) =>
	a === null ? b : b === null ? a : Math.min(a, b);
