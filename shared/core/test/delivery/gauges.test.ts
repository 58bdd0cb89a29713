// The gauges of the queue, which the metrics show.

import { afterEach, expect, test, vi } from "vitest";
import { openQueue } from "#kit/database/queue.ts";
import { countUnbalanced, readGauges } from "../../src/index.ts";

afterEach(() => vi.restoreAllMocks());

test("gauges come from counters, rollups and probes", async () => {
	const queue = await openQueue();
	const gauges = () => readGauges(queue.store.read, queue.clock());
	await queue.addLead();
	await queue.addLead();
	const startedAt = queue.clock();
	queue.clock.advance(5000);
	await queue.touch(await queue.addLead());
	expect(await gauges()).toMatchObject({
		unfinished: { pending: 4, held: 0 },
		oldestDueAt: { pending: startedAt, held: null },
		matched: 4,
	});
	const [first, second, third] = await queue.claim();
	expect(await gauges()).toMatchObject({
		delivering: 3,
		oldestDueAt: { pending: null },
	});
	await queue.recordAll([first as never], "delivered");
	await queue.recordAll(
		[second as never, third as never],
		"retry",
		queue.clock() + 60_000,
	);
	expect(await gauges()).toMatchObject({
		unfinished: { pending: 3 },
		attempts: { delivered: 1, failed: 2 },
		oldestDueAt: { pending: null },
	});
	await queue.pause();
	queue.clock.advance(60_000);
	expect(await gauges()).toEqual({
		integrations: { active: 0, paused: 1 },
		unfinished: { pending: 0, held: 3 },
		delivering: 0,
		oldestDueAt: { pending: null, held: queue.clock() },
		attempts: { delivered: 1, failed: 2 },
		matched: 4,
		purged: 0,
		replaysRunning: 0,
	});
	queue.clock.advance(25 * 3_600_000);
	expect(await gauges()).toMatchObject({
		attempts: { delivered: 0, failed: 0 },
	});
	await queue.close();
});

test("a ledger that does not add up is counted, by either counter", async () => {
	const queue = await openQueue();
	await queue.addLead();
	await queue.addLead();
	const { integration } = queue.store.tables;
	const set = (columns: object) =>
		queue.store.write(({ query }) => query.update(integration).set(columns));
	expect(await countUnbalanced(queue.store)).toBe(0);
	await set({ purged: 1 });
	expect(await countUnbalanced(queue.store)).toBe(1);
	const signal = AbortSignal.abort();
	await expect(countUnbalanced(queue.store, signal)).rejects.toBe(
		signal.reason,
	);
	await set({ purged: 0, settled: 1 });
	expect(await countUnbalanced(queue.store)).toBe(1);
	await queue.close();
});
