import { and, gte, inArray } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { HOUR_MS } from "../sql/record.ts";

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
