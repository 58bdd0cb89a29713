import type { AnalyticsPeriod, AnalyticsQuery } from "@partnerwire/contract";
import { toDay } from "../values/times.ts";

/** Whole days in UTC, YYYY-MM-DD; the last one belongs to them. */
export interface Days {
	readonly start: string;
	readonly end: string;
}

/** What a period is counted from: the day that it is, and its month as `Date.UTC` numbers them. */
interface Today {
	readonly year: number;
	readonly month: number;
	readonly day: number;
}
type Span = (today: Today) => readonly [number, number];

const toToday = ({ year, month, day }: Today) => Date.UTC(year, month, day);

/** Today and the days before it. */
const lastDays =
	(count: number): Span =>
	(today) => [
		Date.UTC(today.year, today.month, today.day - count + 1),
		toToday(today),
	];

/** The months that end today: they begin after the same day, or a shorter month's last. */
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

/** A unit of months so far. */
const current =
	(toFirstMonth: (month: number) => number): Span =>
	(today) => [
		Date.UTC(today.year, toFirstMonth(today.month), 1),
		toToday(today),
	];

/** The whole unit of so many months before the one under way. */
const last =
	(months: number, toFirstMonth: (month: number) => number): Span =>
	({ year, month }) => [
		Date.UTC(year, toFirstMonth(month) - months, 1),
		Date.UTC(year, toFirstMonth(month), 0),
	];

const ofYear = () => 0;
const ofQuarter = (month: number) => month - (month % 3);
const ofMonth = (month: number) => month;

/** Decisions §4: current_* is the unit so far, last_* the whole one before it. */
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

/** The days that a report is about: both dates of the query, or its period when one of them is missing. */
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
