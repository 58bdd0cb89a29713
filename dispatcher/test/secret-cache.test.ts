// What was made from secrets does not outlive its use: a worker's memory holds none of paused or deleted integrations.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createSecretCache } from "../src/sign/secret-cache.ts";

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
	// At 0, where the faked clock begins, the cache takes a time for none.
	vi.advanceTimersByTime(1);
});
afterEach(() => {
	vi.useRealTimers();
});
const MINUTE_MS = 60_000;

test("an entry goes when nobody used it for two minutes, without a look at it, and no timer is left", () => {
	const cache = createSecretCache<number, object>();
	cache.set(1, {});
	expect(cache.get(1)).toEqual({});
	vi.advanceTimersByTime(2 * MINUTE_MS + 1);
	expect(cache.size).toBe(0);
	vi.advanceTimersByTime(MINUTE_MS);
	expect(vi.getTimerCount()).toBe(0);
});

test("an entry in use stays, and its neighbours go", () => {
	const cache = createSecretCache<number, object>();
	for (let id = 0; id < 100; id++) cache.set(id, {});
	for (let second = 0; second < 300; second++) {
		vi.advanceTimersByTime(1000);
		expect(cache.get(7)).toEqual({});
	}
	expect(cache.size).toBe(1);
});

test("of 100,000 entries the newest 10,000 stay", () => {
	const cache = createSecretCache<number, object>();
	for (let id = 0; id < 100_000; id++) cache.set(id, {});
	expect(cache.size).toBe(10_000);
	expect(cache.get(99_999)).toEqual({});
	expect(cache.get(0)).toBeUndefined();
});
