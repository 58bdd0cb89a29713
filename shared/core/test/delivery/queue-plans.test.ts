// SQLite's plans of the queue's statements and gauges: none scans deliveries.

import { afterEach, expect, test, vi } from "vitest";
import { readGauges, reclaimExpired } from "../../src/index.ts";
import { plansOf } from "../support/plans.ts";

afterEach(() => vi.restoreAllMocks());

test("claim, settle and reclaim find deliveries by their partial indexes, never by a scan", async () => {
	const plans = await plansOf(async (queue) => {
		await queue.touch(await queue.addLead());
		await queue.recordAll(await queue.claim(), "delivered");
		await queue.claim({ leaseMs: -1000 });
		await reclaimExpired(queue.store);
	});
	const used = new Set<string>();
	for (const { sql, details } of plans)
		for (const detail of details) {
			expect(detail, sql).not.toMatch(/SCAN (delivery|event|attempt)\b/);
			// Reading an integration's whole index of deliveries would be a scan of its history.
			expect(detail, sql).not.toMatch(/SEARCH delivery .*delivery_sequence/);
			for (const [, index] of detail.matchAll(/INDEX (delivery_\w+)/g))
				used.add(index as string);
		}
	expect([...used]).toEqual(
		expect.arrayContaining(["delivery_due", "delivery_lane", "delivery_lease"]),
	);
});

test("gauges count no stored deliveries, and scan none", async () => {
	const plans = await plansOf(async (queue) => {
		await queue.addLead();
		await readGauges(queue.store.read, queue.clock());
	});
	const [pulses] = plans.filter(({ sql }) => / limit 1\)/.test(sql));
	expect(pulses?.sql).not.toMatch(/count\(/);
	const counting = plans.filter(({ sql }) => /count\(/.test(sql));
	expect(counting.length).toBeGreaterThan(0);
	expect(counting.filter(({ sql }) => !/ limit /.test(sql))).toEqual([]);
	for (const plan of [...counting, pulses])
		expect(plan?.details.join("\n"), plan?.sql).not.toMatch(
			/SCAN (delivery|event|attempt|delivery_rollup)\b|TEMP B-TREE/,
		);
	expect(pulses?.details.join()).toMatch(/INDEX delivery_due \(/);
});
