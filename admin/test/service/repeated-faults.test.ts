// A fault that repeats does not fill the log: it is counted.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { takeFault } from "../../src/cli/faults.ts";
import * as streams from "../../src/cli/output/standard-streams.ts";

const lines: { message: string; repeated?: number }[] = [];
beforeEach(() => {
	vi.useFakeTimers();
	lines.length = 0;
	vi.spyOn(streams, "writeError").mockImplementation((text) => {
		lines.push(JSON.parse(text));
	});
});
afterEach(() => {
	vi.useRealTimers();
	vi.restoreAllMocks();
});
vi.mock("../../src/cli/output/standard-streams.ts", { spy: true });

test("one line at once, one a minute with the number since, and none when it has ended", () => {
	const told = () => lines.map(({ repeated = null }) => repeated);
	for (let second = 0; second < 90; second++) {
		takeFault(new Error("the disk is full"));
		vi.advanceTimersByTime(1000);
	}
	expect(told()).toEqual([null, 59]);
	vi.advanceTimersByTime(600_000);
	expect(told()).toEqual([null, 59, 30]);
	takeFault(new Error("the disk is full"));
	expect(told()).toEqual([null, 59, 30, null]);
});

test("different faults do not hide each other, and a flood of them is not counted without a bound", () => {
	for (let n = 0; n < 1000; n++) takeFault(new Error(`fault ${n}`));
	expect(lines).toHaveLength(1000);
	vi.advanceTimersByTime(60_000);
	expect(lines).toHaveLength(1000);
});
