// The pure functions of reports and enrolments: periods, timelines and the states of an enrolment.

import { AnalyticsPeriod, type EnrollmentUpdate } from "@partnerwire/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPoints } from "../src/analytics/leads-timeline.ts";
import { toDays } from "../src/analytics/to-days.ts";
import {
	advanceEnrollment,
	type EnrollmentState,
} from "../src/learning/advance-enrollment.ts";

const PERIODS = AnalyticsPeriod.options;
const DAY_MS = 86_400_000;
const daysOf = (period: AnalyticsPeriod, now: string | number) => {
	const { start, end } = toDays({ period }, new Date(now).getTime());
	return `${start} ${end}`;
};

describe("what a period is (docs/decisions.md#reports-days)", () => {
	const last = ".999Z";
	test.each([
		["2026-11-27T12:00:00Z", "current_year", "2026-01-01 2026-11-27"],
		["2026-11-27T12:00:00Z", "last_year", "2025-01-01 2025-12-31"],
		["2026-11-27T12:00:00Z", "current_quarter", "2026-10-01 2026-11-27"],
		["2026-11-27T12:00:00Z", "last_quarter", "2026-07-01 2026-09-30"],
		["2026-11-27T12:00:00Z", "current_month", "2026-11-01 2026-11-27"],
		["2026-11-27T12:00:00Z", "last_month", "2026-10-01 2026-10-31"],
		["2026-11-27T12:00:00Z", "last_30_days", "2026-10-29 2026-11-27"],
		["2026-11-27T12:00:00Z", "last_90_days", "2026-08-30 2026-11-27"],
		["2026-11-27T12:00:00Z", "last_6_months", "2026-05-28 2026-11-27"],
		["2026-11-27T12:00:00Z", "last_12_months", "2025-11-28 2026-11-27"],
		// Leap days, and a century year that is not a leap year.
		[`2024-02-29T23:59:59${last}`, "current_month", "2024-02-01 2024-02-29"],
		["2024-02-29T00:00:00Z", "current_quarter", "2024-01-01 2024-02-29"],
		["2024-02-29T00:00:00Z", "last_30_days", "2024-01-31 2024-02-29"],
		["2024-02-29T00:00:00Z", "last_90_days", "2023-12-02 2024-02-29"],
		["2024-02-29T00:00:00Z", "last_6_months", "2023-08-30 2024-02-29"],
		["2024-02-29T00:00:00Z", "last_12_months", "2023-03-01 2024-02-29"],
		["2024-03-01T00:00:00Z", "last_month", "2024-02-01 2024-02-29"],
		["2024-03-01T00:00:00Z", "last_30_days", "2024-02-01 2024-03-01"],
		["2023-03-01T00:00:00Z", "last_month", "2023-02-01 2023-02-28"],
		["2100-03-01T00:00:00Z", "last_month", "2100-02-01 2100-02-28"],
		["2025-02-28T12:00:00Z", "last_12_months", "2024-02-29 2025-02-28"],
		// The edges of quarters.
		[`2026-03-31T23:59:59${last}`, "current_quarter", "2026-01-01 2026-03-31"],
		[`2026-03-31T23:59:59${last}`, "last_quarter", "2025-10-01 2025-12-31"],
		["2026-04-01T00:00:00Z", "current_quarter", "2026-04-01 2026-04-01"],
		["2026-04-01T00:00:00Z", "last_quarter", "2026-01-01 2026-03-31"],
		["2026-10-01T00:00:00Z", "last_quarter", "2026-07-01 2026-09-30"],
		// The ends of years.
		[`2026-12-31T23:59:59${last}`, "current_year", "2026-01-01 2026-12-31"],
		["2027-01-01T00:00:00Z", "current_year", "2027-01-01 2027-01-01"],
		["2027-01-01T00:00:00Z", "last_year", "2026-01-01 2026-12-31"],
		["2027-01-01T00:00:00Z", "last_quarter", "2026-10-01 2026-12-31"],
		["2027-01-01T00:00:00Z", "last_month", "2026-12-01 2026-12-31"],
		["2027-01-01T00:00:00Z", "last_6_months", "2026-07-02 2027-01-01"],
		["2027-01-15T00:00:00Z", "last_30_days", "2026-12-17 2027-01-15"],
		// Months of different lengths.
		["2026-08-31T00:00:00Z", "last_6_months", "2026-03-01 2026-08-31"],
		["2026-07-31T00:00:00Z", "last_6_months", "2026-02-01 2026-07-31"],
	] as const)("at %s %s is %s", (now, period, days) => {
		expect(daysOf(period, now)).toBe(days);
	});

	test("A086 both dates are the days, whatever the period; a lone one changes nothing", () => {
		const nowMs = Date.UTC(2026, 10, 27);
		const [start_date, end_date] = ["2024-02-29", "2024-02-29"];
		for (const period of PERIODS) {
			const both = toDays({ period, start_date, end_date }, nowMs);
			expect(both).toEqual({ start: start_date, end: end_date });
			const periodDays = toDays({ period }, nowMs);
			expect(toDays({ period, start_date }, nowMs)).toEqual(periodDays);
			expect(toDays({ period, end_date }, nowMs)).toEqual(periodDays);
		}
	});

	test("at any time, units follow each other without a gap, and no period is in the future", () => {
		const before = (day: string) =>
			new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
		fc.assert(
			fc.property(fc.integer({ min: 0, max: Date.UTC(2200, 0) }), (nowMs) => {
				const today = new Date(nowMs).toISOString().slice(0, 10);
				for (const period of PERIODS) {
					const { start, end } = toDays({ period }, nowMs);
					expect(start <= end && end <= today).toBe(true);
				}
				for (const unit of ["year", "quarter", "month"] as const) {
					const now = toDays({ period: `current_${unit}` }, nowMs);
					const then = toDays({ period: `last_${unit}` }, nowMs);
					expect([then.end, now.end]).toEqual([before(now.start), today]);
				}
				for (const count of [30, 90] as const) {
					const { start } = toDays({ period: `last_${count}_days` }, nowMs);
					const days = (Date.parse(today) - Date.parse(start)) / DAY_MS + 1;
					expect(days).toBe(count);
				}
			}),
			{ numRuns: 200 },
		);
	});
});

test("a timeline has a point for each day, month or year, also without leads", () => {
	const lead = (day: string) => ({ day, leads: 2, converted: 1 });
	const points = (start: string, end: string, ...days: string[]) =>
		toPoints({ start, end }, days.map(lead));
	const week = points("2024-02-27", "2024-03-01", "2024-02-29");
	expect(week.interval).toBe("day");
	expect(
		week.points.map(({ date, leads_count }) => [date, leads_count]),
	).toEqual([
		["2024-02-27", 0],
		["2024-02-28", 0],
		["2024-02-29", 2],
		["2024-03-01", 0],
	]);
	const year = points("2025-12-15", "2026-12-14", "2025-12-31", "2026-01-01");
	expect(year.interval).toBe("month");
	expect(year.points).toHaveLength(13);
	expect(year.points.slice(0, 2)).toEqual([
		{ date: "2025-12-01", leads_count: 2, converted_count: 1 },
		{ date: "2026-01-01", leads_count: 2, converted_count: 1 },
	]);
	const ages = points("0001-01-01", "9999-12-31", "2026-05-05");
	expect([ages.interval, ages.points.length]).toEqual(["year", 9999]);
});

describe("how an enrolment goes on", () => {
	const enrolled: EnrollmentState = {
		status: "enrolled",
		statusAt: 1,
		progressPercentage: 0,
		assessmentScore: null,
		assessmentBestScore: null,
		assessmentPassed: null,
		startedAt: null,
		completedAt: null,
	};
	const [PASS, NONE] = [70, null];
	const say = (progress_percentage?: number, assessment_score?: number) => ({
		...(progress_percentage !== undefined && { progress_percentage }),
		...(assessment_score !== undefined && { assessment_score }),
	});
	/** The status after each of several requests, one after the other. */
	const statuses = (
		passScore: number | null,
		...bodies: EnrollmentUpdate[]
	) => {
		let state = enrolled;
		return bodies.map((body) => {
			state = advanceEnrollment(state, body, passScore, 5);
			return state.status;
		});
	};

	test.each([
		["nothing learned", PASS, [say(0)], ["enrolled"]],
		["nothing said", PASS, [say()], ["enrolled"]],
		["begun", PASS, [say(1)], ["in_progress"]],
		["learned, not assessed", PASS, [say(100)], ["in_progress"]],
		["passed", PASS, [say(50), say(100, 70)], ["in_progress", "completed"]],
		["passed at once", PASS, [say(undefined, 100)], ["completed"]],
		["failed", PASS, [say(100, 69.9)], ["failed"]],
		["failed again", PASS, [say(100, 10), say(100, 20)], ["failed", "failed"]],
		[
			"retaken",
			PASS,
			[say(100, 10), say(20), say(100, 80)],
			["failed", "in_progress", "completed"],
		],
		["the same again", PASS, [say(9, 9), say(9, 9)], ["failed", "failed"]],
		["no assessment", NONE, [say(99), say(100)], ["in_progress", "completed"]],
		["a score that decides nothing", NONE, [say(10, 5)], ["in_progress"]],
		["back to nothing", PASS, [say(5), say(0)], ["in_progress", "in_progress"]],
	])("%s", (_, passScore, bodies, expected) => {
		expect(statuses(passScore, ...bodies)).toEqual(expected);
	});

	test("a completed one does not change any more; saying the same again is fine", () => {
		expect(() => statuses(PASS, say(100, 90), say(100, 91))).toThrow(
			/completed/,
		);
		expect(statuses(PASS, say(100, 90), say(100, 90), say())).toEqual(
			Array(3).fill("completed"),
		);
	});

	test("a retake keeps the best score and begins without one of its own", () => {
		const failed = advanceEnrollment(enrolled, say(100, 60), PASS, 2);
		const retaken = advanceEnrollment(failed, say(30), PASS, 3);
		expect(retaken).toMatchObject({
			statusAt: 3,
			assessmentScore: null,
			assessmentBestScore: 60,
			assessmentPassed: false,
			startedAt: 2,
			completedAt: null,
		});
		const done = advanceEnrollment(retaken, say(40, 75), PASS, 4);
		expect(done).toMatchObject({
			progressPercentage: 100,
			assessmentBestScore: 75,
			assessmentPassed: true,
			completedAt: 4,
		});
	});

	test("A091 whatever is said, the status only goes where the table of docs/decisions.md says", () => {
		const reachable = {
			enrolled: ["enrolled", "in_progress", "completed", "failed"],
			in_progress: ["in_progress", "completed", "failed"],
			failed: ["failed", "in_progress", "completed"],
			completed: ["completed"],
		};
		const number = fc.oneof(
			fc.constantFrom(0, 100, 70),
			fc.integer({ min: 0, max: 100 }),
		);
		const body = fc.record(
			{ progress_percentage: number, assessment_score: number },
			{ requiredKeys: [] },
		);
		const passScore = fc.constantFrom(null, 0, 70, 100);
		fc.assert(
			fc.property(
				passScore,
				fc.array(body, { maxLength: 8 }),
				(pass, bodies) => {
					let state = enrolled;
					const scores: number[] = [];
					for (const [at, said] of bodies.entries()) {
						if (state.status === "completed") break;
						const before = state;
						state = advanceEnrollment(before, said, pass, 10 + at);
						expect(reachable[before.status]).toContain(state.status);
						if (said.assessment_score !== undefined)
							scores.push(said.assessment_score);
						expect(state.assessmentBestScore).toBe(
							scores.length > 0 ? Math.max(...scores) : null,
						);
						expect(state.startedAt === null).toBe(state.status === "enrolled");
						expect(state.completedAt !== null).toBe(
							state.status === "completed",
						);
						if (state.status === "failed")
							expect(state.assessmentPassed).toBe(false);
					}
				},
			),
			{ numRuns: 300 },
		);
	});
});
