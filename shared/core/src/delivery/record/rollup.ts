import { and, eq, gte, inArray, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";

export const HOUR_MS = 3600 * 1000;

/** The counts that a batch of results adds to an integration. */
export interface Tally {
	/** Attempts that delivered, and attempts that did not. */
	delivered: number;
	failed: number;
	/** Deliveries that will not be attempted again. */
	finished: number;
	lastError: string | null;
}

const addHour = defineQuery(
	"add_to_hour",
	({ query, tables: { deliveryRollup: rollup } }) =>
		query
			.insert(rollup)
			// The builder takes placeholders at run time, but not in its types.
			.values({
				integrationId: sql.placeholder("integrationId"),
				hourAt: sql.placeholder("hourAt"),
				delivered: sql.placeholder("delivered"),
				failed: sql.placeholder("failed"),
			} as never)
			.onConflictDoUpdate({
				target: [rollup.integrationId, rollup.hourAt],
				set: {
					delivered: sql`${rollup.delivered} + excluded.delivered`,
					failed: sql`${rollup.failed} + excluded.failed`,
				},
			}),
);

/**
 * Adds to the integration's totals. A success after a failure gets a later time, even from a process whose clock is
 * behind: comparing the two tells whether the integration has recovered.
 */
const addTotals = defineQuery(
	"add_to_integration",
	({ query, tables: { integration } }) => {
		const [delivered, failed, nowMs] = ["delivered", "failed", "nowMs"].map(
			(name) => sql.placeholder(name),
		);
		return query
			.update(integration)
			.set({
				settled: sql`${integration.settled} + ${sql.placeholder("finished")}`,
				lastSuccessAt: sql`case
					when ${delivered} = 0 then ${integration.lastSuccessAt}
					when ${integration.lastFailureAt} - ${nowMs} between 0 and ${sql.raw(String(CLOCK_SKEW_MS))} then ${integration.lastFailureAt} + 1
					else ${nowMs} end`,
				lastFailureAt: sql`case
					when ${failed} = 0 or ${integration.lastFailureAt} - ${nowMs} between 0 and ${sql.raw(String(CLOCK_SKEW_MS))} then ${integration.lastFailureAt}
					else ${nowMs} end`,
				lastError: sql`case when ${failed} > 0 then ${sql.placeholder("lastError")} else ${integration.lastError} end`,
				// A batch with both outcomes ends the streak of failures and may begin a new one.
				failingSince: sql`case when ${failed} = 0 then null when ${delivered} > 0 then ${nowMs} else coalesce(${integration.failingSince}, ${nowMs}) end`,
			})
			.where(eq(integration.id, sql.placeholder("id")))
			.returning({ failingSince: integration.failingSince });
	},
);

/**
 * Adds a tally to the hour's rollup and to the integration's counters, so that health never counts rows. Returns since
 * when the integration has only failed, or null.
 */
export async function addToRollup(
	db: Db,
	integrationId: number,
	tally: Tally,
	nowMs: number,
): Promise<number | null> {
	const { delivered, failed, finished, lastError } = tally;
	await addHour(db, {
		integrationId,
		hourAt: nowMs - (nowMs % HOUR_MS),
		delivered,
		failed,
	});
	const totals = {
		id: integrationId,
		delivered,
		failed,
		finished,
		lastError,
		nowMs,
	};
	const [row] = await addTotals(db, totals);
	return row?.failingSince ?? null;
}

/** The attempts of one hour. */
export interface Hour {
	/** When it began. */
	readonly hourAt: number;
	readonly delivered: number;
	readonly failed: number;
}

const HOURS = 24;

/**
 * Reads the attempts of integrations in the hour of `nowMs` and the 23 before, oldest first, including hours without
 * any: one index range for each integration.
 */
export async function readHours(
	{ query, tables: { deliveryRollup: rollup } }: Db,
	integrationIds: readonly number[],
	nowMs: number,
): Promise<(integrationId: number) => Hour[]> {
	const firstAt = nowMs - (nowMs % HOUR_MS) - (HOURS - 1) * HOUR_MS;
	const rows =
		integrationIds.length === 0
			? []
			: await query
					.select()
					.from(rollup)
					.where(
						and(
							inArray(rollup.integrationId, [...integrationIds]),
							gte(rollup.hourAt, firstAt),
						),
					);
	const rowsByHour = new Map(
		rows.map((row) => [`${row.integrationId} ${row.hourAt}`, row]),
	);
	const starts = Array.from({ length: HOURS }, (_, i) => firstAt + i * HOUR_MS);
	return (integrationId) =>
		starts.map((hourAt) => {
			const row = rowsByHour.get(`${integrationId} ${hourAt}`);
			return {
				hourAt,
				delivered: row?.delivered ?? 0,
				failed: row?.failed ?? 0,
			};
		});
}
