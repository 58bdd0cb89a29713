// The rate at which held deliveries go out after a resume.

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openQueue, sequencesOf, type TestQueue } from "#kit/database/queue.ts";
import { claimDue } from "../../src/index.ts";

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
	// The remaining half token is not lost.
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

test("workers whose clocks are apart share one rate: time that one has counted is not counted again by another", async () => {
	await queue.resume(10);
	const claimAt = (offMs: number) =>
		queue.claim({ nowMs: queue.clock() + offMs });
	expect(await claimAt(30_000)).toHaveLength(10);
	queue.clock.advance(100);
	expect(await claimAt(30_000)).toHaveLength(1);
	// A worker whose clock is behind sees no time gone by, and leaves the bucket's time unchanged.
	const { integration } = queue.store.tables;
	await queue.store.write(({ query }) =>
		query.update(integration).set({ bucketTokens: 1 }),
	);
	expect(await claimAt(0)).toHaveLength(1);
	expect(await claimAt(30_000)).toEqual([]);
	queue.clock.advance(100);
	expect(await claimAt(30_000)).toHaveLength(1);
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

test("one that fails after the resume, and is planned for later, does not hold the rate down", async () => {
	await queue.resume(30);
	const [failing, ...others] = await queue.claim();
	expect(others).toHaveLength(29);
	await queue.recordAll(others, "delivered");
	const later = queue.clock() + 24 * 3_600_000;
	await queue.recordAll([failing as never], "retry", later);
	queue.clock.advance(1000);
	expect(await queue.claim()).toHaveLength(10);
	for (let made = 0; made < 60; made++) await queue.addLead();
	expect(await queue.claim()).toHaveLength(60);
});

test("a clock that is set back an hour stops a rate for no longer than a moment", async () => {
	await queue.resume(10);
	expect(await queue.claim()).toHaveLength(10);
	queue.clock.advance(-3_600_000);
	for (let made = 0; made < 20; made++) await queue.addLead();
	expect(await queue.claim()).toHaveLength(0);
	queue.clock.advance(1000);
	expect(await queue.claim()).toHaveLength(10);
});

describe("max_per_second", () => {
	const bound = (max_per_second: number | null) =>
		queue.execute(
			"updateIntegration",
			{
				params: { integration_id: queue.integrationId },
				body: { max_per_second },
			},
			queue.caller,
		);

	test.each([
		[5, [5, 1, 4], 1000],
		[0.5, [1, 0, 1], 2000],
		[2.5, [2, 1, 2], 1000],
	])(
		"%d a second: %j at once, after a quarter, and the rest of the time",
		async (rate, counts, periodMs) => {
			await bound(rate);
			await queue.resume(10_000);
			const claims = [];
			for (const waitMs of [0, periodMs / 4, (periodMs * 3) / 4]) {
				queue.clock.advance(waitMs);
				claims.push((await queue.claim()).length);
			}
			expect(claims).toEqual(counts);
		},
	);

	test("it also bounds a faster release, and outlasts it", async () => {
		await bound(15);
		await queue.resume(20);
		expect(await queue.claim()).toHaveLength(15);
		queue.clock.advance(1000);
		expect(await queue.claim()).toHaveLength(15);
		queue.clock.advance(1000);
		expect(await queue.claim()).toHaveLength(10);
		for (let made = 0; made < 60; made++) await queue.addLead();
		queue.clock.advance(1000);
		expect(await queue.claim()).toHaveLength(15);
	});

	test("a slower release counts while it lasts, and null takes the bound away", async () => {
		await bound(30);
		await queue.resume(10);
		expect(await queue.claim()).toHaveLength(10);
		queue.clock.advance(1000);
		expect(await queue.claim()).toHaveLength(10);
		await bound(null);
		await queue.pause();
		await queue.resume(10_000);
		expect(await queue.claim()).toHaveLength(20);
	});

	test.each([0, -1, 10_001, "5"])("%j is refused", async (rate) => {
		await expect(bound(rate as number)).rejects.toThrow(/body\/max_per_second/);
	});
});
