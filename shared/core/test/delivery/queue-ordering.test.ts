// Switching the order of an integration on and off.

import { passFailingHeads, recordAttempts } from "@partnerwire/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
	openQueue,
	sequencesOf,
	type TestQueue,
	toOutcome,
} from "#kit/database/queue.ts";

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue({ ordering: "none" });
});
afterEach(() => queue.close());

const order = (ordering: "record" | "none") =>
	queue.execute(
		"updateIntegration",
		{ params: { integration_id: queue.integrationId }, body: { ordering } },
		queue.caller,
	);
const marks = async () =>
	(await queue.deliveries()).map(({ outOfOrder }) => outOfOrder);

test("turning the order on closes the lanes again: only the first of each may go", async () => {
	const lead = await queue.addLead();
	await queue.touch(lead);
	await queue.touch(lead);
	const other = await queue.addLead();
	await queue.touch(other);
	await order("record");
	const heads = await queue.claim();
	expect(sequencesOf(heads)).toEqual([1, 4]);
	await queue.recordAll(heads, "delivered");
	expect(sequencesOf(await queue.claim())).toEqual([2, 5]);
	expect(await marks()).toEqual([false, false, false, false, false]);
});

test("one that is under way before its turn when the order is turned on is marked, and holds nobody up", async () => {
	const lead = await queue.addLead();
	// Without an order, any of those that are due at the same moment may be claimed.
	for (let times = 0; times < 2; times++) {
		queue.clock.advance(1);
		await queue.touch(lead);
	}
	const [first, second] = await queue.claim({ limit: 2 });
	await order("record");
	await queue.recordAll([second as never], "retry", queue.clock() + 60_000);
	expect(await marks()).toEqual([false, true, false]);
	expect(await queue.claim()).toEqual([]);
	await queue.recordAll([first as never], "delivered");
	expect(sequencesOf(await queue.claim())).toEqual([3]);
	expect(await marks()).toEqual([false, true, true]);
});

test("a failing delivery that the order puts behind another is not let past: it keeps its turn", async () => {
	const lead = await queue.addLead();
	await queue.touch(lead);
	const [first, second] = await queue.claim();
	const hour = 3_600_000;
	const passAt = queue.clock() + hour / 2;
	const dueAt = queue.clock() + 2 * hour;
	await queue.recordAll([first as never], "retry", queue.clock() + hour);
	const failing = { ...toOutcome(second as never, "retry", dueAt), passAt };
	await recordAttempts(queue.store, [failing], queue.clock());
	await order("record");
	queue.clock.advance(hour);
	expect(await passFailingHeads(queue.store, queue.clock())).toBe(0);
	await queue.recordAll(await queue.claim(), "delivered");
	queue.clock.advance(hour);
	expect(sequencesOf(await queue.claim())).toEqual([2]);
});
