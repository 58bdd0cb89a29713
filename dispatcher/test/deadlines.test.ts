import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeadlines } from "../src/http/deadlines.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTime(ms);

it("expires each item after its own time, with one timer for all", () => {
	const expired: string[] = [];
	const deadlines = createDeadlines<string>(100, (item) => expired.push(item));
	deadlines.add("a", performance.now());
	pass(40);
	const second = deadlines.add("b", performance.now());
	deadlines.add("c", performance.now());
	expect(vi.getTimerCount()).toBe(1);
	deadlines.delete(second);
	deadlines.delete(second);
	pass(59);
	expect(expired).toEqual([]);
	pass(1);
	expect(expired).toEqual(["a"]);
	pass(40);
	expect(expired).toEqual(["a", "c"]);
	expect(vi.getTimerCount()).toBe(0);
});

it("starts again after it has run dry", () => {
	const expired: string[] = [];
	const deadlines = createDeadlines<string>(10, (item) => expired.push(item));
	deadlines.add("a", performance.now());
	pass(10);
	deadlines.add("b", performance.now());
	pass(10);
	expect(expired).toEqual(["a", "b"]);
});

it("takes items that are added while others expire", () => {
	const expired: string[] = [];
	const deadlines = createDeadlines<string>(10, (item) => {
		expired.push(item);
		if (item === "a") deadlines.add("b", performance.now());
	});
	deadlines.add("a", performance.now());
	pass(10);
	expect(vi.getTimerCount()).toBe(1);
	pass(10);
	expect(expired).toEqual(["a", "b"]);
});

it("forgets everything when it is cleared", () => {
	const expired: string[] = [];
	const deadlines = createDeadlines<string>(10, (item) => expired.push(item));
	deadlines.add("a", performance.now());
	deadlines.clear();
	pass(20);
	expect(expired).toEqual([]);
	expect(vi.getTimerCount()).toBe(0);
});
