import { afterEach, beforeEach, expect, test } from "vitest";
import { claimDue } from "../src/index.ts";
import { openQueue, sequencesOf, type TestQueue } from "./support/queue.ts";

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
	await queue.pause();
	for (let made = 0; made < 40; made++) await queue.addLead();
});
afterEach(() => queue.close());

test("after a resume what was held goes out in order, at the rate asked for", async () => {
	await queue.resume(10);
	const first = await queue.claim();
	expect(sequencesOf(first)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	expect(await queue.claim()).toEqual([]);
	queue.clock.advance(99);
	expect(await queue.claim()).toEqual([]);
	queue.clock.advance(1);
	expect(sequencesOf(await queue.claim())).toEqual([11]);
	queue.clock.advance(550);
	expect(sequencesOf(await queue.claim())).toEqual([12, 13, 14, 15, 16]);
	// The half token that was left over is not lost.
	queue.clock.advance(50);
	expect(sequencesOf(await queue.claim())).toEqual([17]);
});

test("the bucket holds one second's worth, however long nobody claims", async () => {
	await queue.resume(10);
	queue.clock.advance(3_600_000);
	expect(await queue.claim()).toHaveLength(10);
	expect(await queue.claim()).toEqual([]);
});

test("two workers that claim at the same time share one bucket", async () => {
	await queue.resume(10);
	const options = { nowMs: queue.clock(), limit: 100, leaseMs: 60_000 };
	const claims = await Promise.all([
		claimDue(queue.store, options),
		claimDue(queue.store, options),
	]);
	const sequences = sequencesOf(claims.flat());
	expect(sequences).toHaveLength(10);
	expect(new Set(sequences).size).toBe(10);
});

test("over a minute no second sees more than the rate, and the default is 50 a second", async () => {
	await queue.resume();
	expect(await queue.claim()).toHaveLength(40);
});

test("when everything that was held is out, the limit ends", async () => {
	await queue.resume(30);
	expect(await queue.claim()).toHaveLength(30);
	queue.clock.advance(1000);
	expect(await queue.claim()).toHaveLength(10);
	for (let made = 0; made < 60; made++) await queue.addLead();
	expect(await queue.claim()).toHaveLength(60);
});
