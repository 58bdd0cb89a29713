import type { AnalyticsPeriod, AnalyticsQuery } from "@partnerwire/contract";
import { toDay } from "../values/times.ts";

/** Whole days in UTC, as YYYY-MM-DD, with the last day included. */
export interface Days {
	readonly start: string;
	readonly end: string;
}

/** The day that periods are counted from. Months are numbered as in `Date.UTC`. */
interface Today {
	readonly year: number;
	readonly month: number;
	readonly day: number;
}
type Span = (today: Today) => readonly [number, number];

const toToday = ({ year, month, day }: Today) => Date.UTC(year, month, day);

/** A number of days that end today. */
const lastDays =
	(count: number): Span =>
	(today) => [
		Date.UTC(today.year, today.month, today.day - count + 1),
		toToday(today),
	];

/** A number of months that end today. They begin the day after the same day, or after a shorter month's last day. */
const lastMonths =
	(count: number): Span =>
	(today) => {
		const { year, month, day } = today;
		const length = new Date(Date.UTC(year, month - count + 1, 0)).getUTCDate();
		return [
			Date.UTC(year, month - count, Math.min(day, length) + 1),
			toToday(today),
		];
	};

/** The present month, quarter or year, up to today. */
const current =
	(toFirstMonth: (month: number) => number): Span =>
	(today) => [
		Date.UTC(today.year, toFirstMonth(today.month), 1),
		toToday(today),
	];

/** The whole month, quarter or year before the present one. */
const last =
	(months: number, toFirstMonth: (month: number) => number): Span =>
	({ year, month }) => [
		Date.UTC(year, toFirstMonth(month) - months, 1),
		Date.UTC(year, toFirstMonth(month), 0),
	];

const ofYear = () => 0;
const ofQuarter = (month: number) => month - (month % 3);
const ofMonth = (month: number) => month;

/** The periods of reports (docs/decisions.md#reports-days). */
const PERIODS: Readonly<Record<AnalyticsPeriod, Span>> = {
	current_year: current(ofYear),
	last_year: last(12, ofYear),
	current_quarter: current(ofQuarter),
	last_quarter: last(3, ofQuarter),
	current_month: current(ofMonth),
	last_month: last(1, ofMonth),
	last_30_days: lastDays(30),
	last_90_days: lastDays(90),
	last_6_months: lastMonths(6),
	last_12_months: lastMonths(12),
};

/** The days of a report: both dates of the query, or its period if one of them is missing. */
export function toDays(
	query: Pick<AnalyticsQuery, "period" | "start_date" | "end_date">,
	nowMs: number,
): Days {
	const { start_date: start, end_date: end } = query;
	if (start !== undefined && end !== undefined) return { start, end };
	const now = new Date(nowMs);
	const [first, final] = PERIODS[query.period]({
		year: now.getUTCFullYear(),
		month: now.getUTCMonth(),
		day: now.getUTCDate(),
	});
	return { start: toDay(first), end: toDay(final) };
}
