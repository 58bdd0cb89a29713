import {
	type SequenceGap,
	trackSequence,
} from "@partnerwire/receiver/catch-up";
import fc from "fast-check";
import { expect, test } from "vitest";

const GRACE_MS = 60_000;

function openTracker(from?: number) {
	const gaps: SequenceGap[] = [];
	let nowMs = 0;
	const tracker = trackSequence({
		onGap: (gap) => gaps.push(gap),
		clock: () => nowMs,
		...(from !== undefined && { from }),
	});
	return {
		tracker,
		gaps,
		wait(ms: number) {
			nowMs += ms;
		},
		arrive(sequence: number | undefined, status = 200) {
			tracker.observe({
				status,
				outcome: status === 200 ? "handled" : "failed",
				durationMs: 1,
				...(sequence !== undefined && { sequence }),
			});
		},
	};
}

test("a number that stays out is reported once, when its grace is over and the next delivery comes", () => {
	const { arrive, wait, gaps, tracker } = openTracker();
	for (const sequence of [7, 8, 12]) arrive(sequence);
	expect(gaps).toEqual([]);
	wait(GRACE_MS);
	arrive(13);
	expect(gaps).toEqual([{ expected: 9, received: 12 }]);
	wait(GRACE_MS);
	arrive(14);
	tracker.check();
	expect(gaps).toHaveLength(1);
	expect(tracker.position()).toBe(8);
});

test("what is out of order and comes within the grace raises nothing", () => {
	const { arrive, wait, gaps, tracker } = openTracker(0);
	for (const sequence of [3, 2, 5, 1, 4]) arrive(sequence);
	wait(GRACE_MS);
	tracker.check();
	expect(gaps).toEqual([]);
	expect(tracker.position()).toBe(5);
});

test("a late retry closes a gap, also one that was told, without another word", () => {
	const { arrive, wait, gaps, tracker } = openTracker(0);
	arrive(1);
	arrive(4);
	wait(GRACE_MS);
	tracker.check();
	expect(gaps).toEqual([{ expected: 2, received: 4 }]);
	arrive(3);
	expect(tracker.position()).toBe(1);
	arrive(2);
	wait(GRACE_MS);
	tracker.check();
	expect(gaps).toHaveLength(1);
	expect(tracker.position()).toBe(4);
});

test("a delivery whose handler fails is missing until it succeeds", () => {
	const { arrive, wait, gaps, tracker } = openTracker(0);
	arrive(1, 500);
	arrive(2);
	wait(GRACE_MS);
	arrive(1, 500);
	expect(gaps).toEqual([{ expected: 1, received: 2 }]);
	arrive(1);
	expect(tracker.position()).toBe(2);
});

test("the first delivery is where a tracker without `from` starts, older ones change nothing", () => {
	const { arrive, tracker } = openTracker();
	expect(tracker.position()).toBe(undefined);
	arrive(undefined);
	arrive(5);
	arrive(3);
	expect(tracker.position()).toBe(5);
});

test("with more holes than are kept, the position only goes too far back, never too far on", () => {
	const { arrive, tracker } = openTracker(0);
	for (let sequence = 2; sequence < 6_000; sequence += 2) arrive(sequence);
	expect(tracker.position()).toBe(0);
	for (let sequence = 1; sequence < 6_000; sequence++) arrive(sequence);
	expect(tracker.position()).toBe(5_999);
});

test("in any order, the position is the last number before the first that is missing", () => {
	const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 40 }));
	fc.assert(
		fc.property(numbers, fc.integer({ min: 0, max: 5 }), (arrivals, from) => {
			const { arrive, wait, gaps, tracker } = openTracker(from);
			for (const sequence of arrivals) arrive(sequence);
			let position = from;
			while (arrivals.includes(position + 1)) position++;
			expect(tracker.position()).toBe(position);
			wait(GRACE_MS);
			tracker.check();
			const reported = gaps.flatMap(({ expected, received }) =>
				Array.from({ length: received - expected }, (_, at) => expected + at),
			);
			const highest = Math.max(from, ...arrivals);
			const missing = Array.from({ length: highest }, (_, at) => at + 1).filter(
				(sequence) => sequence > from && !arrivals.includes(sequence),
			);
			expect(reported).toEqual(missing);
		}),
	);
});
