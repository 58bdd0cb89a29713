// SQLite's plans of what operations and upkeep read of deliveries: ledger, replays, purges, feed.

import { afterEach, expect, test, vi } from "vitest";
import type { TestQueue } from "#kit/database/queue.ts";
import {
	passFailingHeads,
	removeExpired,
	runReplays,
} from "../../src/index.ts";
import { plansOf } from "../support/plans.ts";

afterEach(() => vi.restoreAllMocks());

const uuidOf = async (queue: TestQueue, index: number) =>
	(await queue.deliveries())[index]?.uuid ?? "";

test("passing a head, promotion, skip and redelivery find their rows by an index of unfinished ones or by the record", async () => {
	const plans = await plansOf(async (queue) => {
		const lead = await queue.addLead();
		await queue.touch(lead);
		await queue.recordAll(await queue.claim(), "retry", queue.clock() + 5000);
		await passFailingHeads(queue.store, queue.clock());
		const params = { uuid: await uuidOf(queue, 0) };
		await queue.execute("skipWebhookEvent", { params }, queue.caller);
		await queue.execute("redeliverWebhookEvent", { params }, queue.caller);
		await queue.execute("getWebhookEvent", { params }, queue.caller);
	});
	const used = new Set<string>();
	// The test helper reads the whole table itself.
	for (const { sql, details } of plans.filter(({ sql }) => / where /.test(sql)))
		for (const detail of details) {
			expect(detail, sql).not.toMatch(/SCAN (delivery|event|attempt)\b/);
			for (const [, index] of detail.matchAll(/INDEX (delivery_\w+)/g))
				used.add(index as string);
		}
	expect([...used]).toEqual(
		expect.arrayContaining([
			"delivery_lane",
			"delivery_pass",
			"delivery_record",
			"delivery_uuid",
		]),
	);
});

test("the ledger reads counts off covering indexes, and lists by status the partial ones", async () => {
	const plans = await plansOf(async (queue) => {
		await queue.addLead();
		await queue.execute("getWebhookLedger", {}, queue.caller);
		for (const status of ["failed", "pending"] as const)
			await queue.execute(
				"listWebhookEvents",
				{ query: { status } },
				queue.caller,
			);
	});
	const [ledger] = plans.filter(
		({ sql }) => /"purged"/.test(sql) && / count\(/.test(sql),
	);
	expect(
		ledger?.details.filter((detail) => /delivery/.test(detail)),
	).toHaveLength(5);
	for (const detail of ledger?.details ?? [])
		expect(detail).not.toMatch(/SCAN delivery/);
	const lists = plans.filter(({ sql }) =>
		/order by "delivery"."id" desc/.test(sql),
	);
	expect(
		lists.map(({ details }) => details.join().match(/delivery_\w+/)?.[0]),
	).toEqual(["delivery_ended", "delivery_lane"]);
});

test("replays, purges and retention walk by number or key, and look events up by their index", async () => {
	const plans = await plansOf(async (queue) => {
		const lead = await queue.addLead();
		await queue.touch(lead);
		await queue.recordAll(await queue.claim(), "failed");
		await queue.recordAll(await queue.claim(), "delivered");
		const { integrationId: integration_id, caller } = queue;
		const body = { integration_id, statuses: ["failed" as const] };
		await queue.execute("createWebhookReplay", { body }, caller);
		queue.clock.advance(1000);
		await runReplays(queue.store, queue.clock());
		await queue.recordAll(await queue.claim(), "failed");
		await queue.execute("purgeWebhookEvents", { body }, caller);
		await removeExpired(queue.store, queue.clock() + 1);
	});
	const walking = plans.filter(({ sql }) => / where /.test(sql));
	expect(walking.length).toBeGreaterThan(10);
	for (const { sql, details } of walking)
		for (const detail of details)
			expect(detail, sql).not.toMatch(
				/SCAN (delivery|event|attempt)\b|TEMP B-TREE/,
			);
	const removing = plans.filter(({ sql }) => /^delete from "event"/.test(sql));
	expect(removing.flatMap(({ details }) => details).join()).toMatch(
		/delivery_event/,
	);
});

test("a page of the feed is read off the index of integration and sequence, without sorting", async () => {
	const plans = await plansOf(async (other) => {
		await other.addLead();
		const query = { integration_id: other.integrationId, after_sequence: 0 };
		await other.execute("getWebhookFeed", { query }, other.caller);
	});
	const [plan] = plans.filter(({ sql }) =>
		/order by "delivery"."sequence" asc/.test(sql),
	);
	expect(plan?.details.join("\n")).toMatch(
		/SEARCH delivery USING INDEX delivery_sequence \(integration_id=\? AND sequence>\? AND sequence<\?\)/,
	);
	expect(plan?.details.join("\n")).not.toMatch(/SCAN|TEMP B-TREE/);
});

test("deliveries that were given up are counted off their own index, and no further than is shown", async () => {
	const plans = await plansOf(async (queue) => {
		await queue.addLead();
		await queue.execute("listIntegrations", {}, queue.caller);
	});
	const counting = plans.filter(({ sql }) => /limit 1000\)/.test(sql));
	expect(counting.length).toBeGreaterThan(0);
	for (const { details } of counting)
		expect(details.join("\n")).toMatch(
			/SEARCH delivery USING COVERING INDEX delivery_ended/,
		);
});
