import { describe, expect, test } from "vitest";
import {
	type AttemptResult,
	type FailureClass,
	parseRetryAfter,
} from "../../src/index.ts";
import { planRetry, RETRY_SCHEDULE } from "../../src/worker/index.ts";

type Failed = Parameters<typeof planRetry>[0];

const failed = (
	status: number | null,
	failureClass: FailureClass = "server_error",
	retryAfterMs: number | null = null,
): Failed => ({ status, retryAfterMs, failure: { class: failureClass } });

const plan = (
	attempts: number,
	random = 0.5,
	result = failed(500),
	schedule: readonly number[] = RETRY_SCHEDULE,
) => planRetry(result, attempts, schedule, random);

const HOUR = 3600;

describe("the schedule of docs/decisions.md#retries", () => {
	test("ten attempts, each counted from the one before", () => {
		const delays = Array.from({ length: 10 }, (_, made) => plan(made + 1));
		expect(delays.map((retry) => retry && retry.delayMs / 1000)).toEqual([
			5,
			300,
			1800,
			2 * HOUR,
			5 * HOUR,
			10 * HOUR,
			14 * HOUR,
			20 * HOUR,
			24 * HOUR,
			null,
		]);
		expect(
			delays.slice(0, 9).every((retry) => retry?.rule === "schedule"),
		).toBe(true);
	});

	test("the jitter is a fifth either way", () => {
		expect(plan(2, 0)?.delayMs).toBe(240_000);
		expect(plan(2, 0.999_999)?.delayMs).toBe(360_000);
	});

	test("an integration's own schedule ends where it ends", () => {
		expect(plan(1, 0.5, failed(500), [0, 7])?.delayMs).toBe(7000);
		expect(plan(2, 0.5, failed(500), [0, 7])).toBeNull();
	});
});

describe("Retry-After", () => {
	const NOW = Date.UTC(2026, 10, 27, 12);
	const asked = (value: string) =>
		plan(1, 0.5, failed(503, "server_error", parseRetryAfter(value, NOW)));

	test("is honoured in seconds and as a date", () => {
		expect(asked("120")).toEqual({ delayMs: 120_000, rule: "retry_after" });
		expect(asked("Fri, 27 Nov 2026 12:10:00 GMT")).toEqual({
			delayMs: 600_000,
			rule: "retry_after",
		});
	});

	test("never shortens the planned delay, and is cut to a day", () => {
		const soon = failed(400, "client_error", 1000);
		expect(plan(2, 0.5, soon)).toEqual({ delayMs: 300_000, rule: "schedule" });
		expect(asked("9999999")?.delayMs).toBe(24 * HOUR * 1000);
	});
});

describe("the 60 s floor", () => {
	test.each([429, 502, 503, 504])("holds after a %i", (status) => {
		expect(plan(1, 0.5, failed(status))).toEqual({
			delayMs: 60_000,
			rule: "overload_floor",
		});
	});

	test.each([
		"answer_timeout",
		"body_timeout",
		"connect_timeout",
	] satisfies FailureClass[])("holds after %s", (failureClass) => {
		expect(plan(1, 0.5, failed(null, failureClass))?.delayMs).toBe(60_000);
	});

	test("does not hold after a 500, and does not shorten a longer delay", () => {
		expect(plan(1)?.delayMs).toBe(5000);
		expect(plan(3, 0.5, failed(503))).toEqual({
			delayMs: 1_800_000,
			rule: "schedule",
		});
	});
});

test("a 410 is not tried again", () => {
	const gone: Pick<AttemptResult, "status"> & Failed = failed(410, "gone");
	expect(plan(1, 0.5, gone)).toBeNull();
});
