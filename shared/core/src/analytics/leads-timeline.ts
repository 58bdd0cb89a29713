import type { LeadsTimeline } from "@partnerwire/contract";
import { and, count, eq, isNull, sql } from "drizzle-orm";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual, whenInDays } from "../resource/conditions.ts";
import { DAY_MS, toDay } from "../values/times.ts";
import { partnerFilters, whenDirected } from "./partner-filters.ts";
import { type Days, toDays } from "./to-days.ts";

type Interval = LeadsTimeline["interval"];
type Point = LeadsTimeline["points"][number];

/** Limits the points of a chart: at most 93 days, else at most 61 months, else years. */
const MOST_DAYS = 93;
const MOST_MONTH_DAYS = 5 * 366;

function toInterval({ start, end }: Days): Interval {
	const days = (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;
	if (days <= MOST_DAYS) return "day";
	return days <= MOST_MONTH_DAYS ? "month" : "year";
}

/** The first day of the interval that a day is in. `STEP` moves a date to the next interval. */
const FIRST_DAY: Readonly<Record<Interval, (day: string) => string>> = {
	day: (day) => day,
	month: (day) => `${day.slice(0, 7)}-01`,
	year: (day) => `${day.slice(0, 4)}-01-01`,
};
const STEP: Readonly<Record<Interval, (date: Date) => number>> = {
	day: (date) => date.setUTCDate(date.getUTCDate() + 1),
	month: (date) => date.setUTCMonth(date.getUTCMonth() + 1),
	year: (date) => date.setUTCFullYear(date.getUTCFullYear() + 1),
};

/** A point for each interval of the days, with zeros for intervals without leads. */
export function toPoints(
	days: Days,
	leads: readonly { day: string; leads: number; converted: number }[],
): Pick<LeadsTimeline, "interval" | "points"> {
	const interval = toInterval(days);
	const toFirstDay = FIRST_DAY[interval];
	const points = new Map<string, Point>();
	const date = new Date(toFirstDay(days.start));
	const endMs = Date.parse(days.end);
	while (date.getTime() <= endMs) {
		const first = toDay(date.getTime());
		points.set(first, { date: first, leads_count: 0, converted_count: 0 });
		STEP[interval](date);
	}
	for (const { day, leads: made, converted } of leads) {
		const point = points.get(toFirstDay(day)) as Point;
		point.leads_count += made;
		point.converted_count += converted;
	}
	return { interval, points: [...points.values()] };
}

/** The report on the number of leads over time. */
export const leadsTimelineHandlers = {
	getLeadsTimeline: async ({ query }, { db, caller, nowMs }) => {
		const { lead, partner } = db.tables;
		const days = toDays(query, nowMs);
		const dayNumber = sql<number>`${lead.createdAt} / 86400000`.mapWith(Number);
		const rows = await db.query
			.select({
				dayNumber,
				leads: count(),
				converted:
					sql<number>`sum(case when ${lead.status} = 'converted' then 1 else 0 end)`.mapWith(
						Number,
					),
			})
			.from(lead)
			.innerJoin(partner, eq(partner.uuid, lead.partnershipUuid))
			.where(
				and(
					eq(lead.companyUuid, caller.companyUuid),
					whenInDays(lead.createdAt, days.start, days.end),
					isNull(lead.archivedAt),
					whenDirected(db, query),
					...partnerFilters(db, query),
					whenEqual(partner.partnerType, query.partner_type),
				),
			)
			.groupBy(dayNumber);
		const leads = rows.map(({ dayNumber, ...counts }) => ({
			day: toDay(dayNumber * DAY_MS),
			...counts,
		}));
		return {
			start_date: days.start,
			end_date: days.end,
			leads_count: leads.reduce((total, { leads }) => total + leads, 0),
			...toPoints(days, leads),
		};
	},
} satisfies Partial<Handlers>;
