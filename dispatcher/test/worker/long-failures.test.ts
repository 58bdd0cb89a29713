import {
	type ClaimedDelivery,
	passFailingHeads,
	recordAttempts,
} from "@partnerwire/core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { rowsOf } from "#kit/database/open-core.ts";
import { openQueue, sequencesOf, type TestQueue } from "#kit/database/queue.ts";
import { toResult } from "#kit/endpoints/fake-wire.ts";
import { RETRY_SCHEDULE } from "../../src/worker/index.ts";
import { toAttemptOutcome } from "../../src/worker/to-attempt-outcome.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RULES = {
	retrySchedule: RETRY_SCHEDULE,
	passAfterMs: 30 * MINUTE_MS,
	random: () => 0.5,
};

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
});
afterEach(() => queue.close());

const answer = (claimed: readonly ClaimedDelivery[], status: number) =>
	recordAttempts(
		queue.store,
		claimed.map((delivery) =>
			toAttemptOutcome(delivery, toResult(status, queue.clock()), RULES),
		),
		queue.clock(),
	);
const integration = async () =>
	(await rowsOf(queue, "integration"))[0] as NonNullable<
		Awaited<ReturnType<typeof rowsOf<"integration">>>[0]
	>;
const show = async (sequence: number) => {
	const uuid = (await queue.deliveries()).find(
		(row) => row.sequence === sequence,
	)?.uuid;
	return queue.execute(
		"getWebhookEvent",
		{ params: { uuid: uuid ?? "" } },
		queue.caller,
	);
};

test("a head that fails for half an hour lets its successors pass, marked; its own retries go on", async () => {
	const lead = await queue.addLead();
	await queue.touch(lead);
	await queue.touch(lead);
	for (const waitMs of [5000, 300_000, 0]) {
		const claimed = await queue.claim();
		expect(sequencesOf(claimed)).toEqual([1]);
		await answer(claimed, 500);
		queue.clock.advance(waitMs + 2);
	}
	expect(await show(2)).toMatchObject({
		waiting_for: "lane",
		next_attempt_at: null,
		blocked_by: (await show(1)).uuid,
		explanation: expect.stringContaining("at the latest"),
	});
	queue.clock.advance(24 * MINUTE_MS);
	expect(await passFailingHeads(queue.store, queue.clock())).toBe(0);
	queue.clock.advance(2 * MINUTE_MS);
	expect(await passFailingHeads(queue.store, queue.clock())).toBe(1);
	const passing = await queue.claim();
	expect(sequencesOf(passing)).toEqual([2]);
	await answer(passing, 200);
	expect(sequencesOf(await queue.claim())).toEqual([3]);
	// A delivery that is added meanwhile does not wait for the failing head either.
	const marks = async () =>
		(await queue.deliveries()).map(({ outOfOrder }) => outOfOrder);
	expect(await marks()).toEqual([false, true, true]);
	queue.clock.advance(10 * MINUTE_MS);
	const retried = await queue.claim();
	expect(sequencesOf(retried)).toEqual([1]);
	await answer(retried, 200);
	await queue.touch(lead);
	expect(await marks()).toEqual([false, true, true, false]);
});

test("an event for a lane whose head was passed goes at once, marked", async () => {
	const lead = await queue.addLead();
	await answer(await queue.claim(), 500);
	queue.clock.advance(5002);
	await answer(await queue.claim(), 500);
	queue.clock.advance(300_002);
	await answer(await queue.claim(), 500);
	queue.clock.advance(26 * MINUTE_MS);
	await passFailingHeads(queue.store, queue.clock());
	await queue.touch(lead);
	expect((await queue.deliveries())[1]).toMatchObject({
		ready: true,
		outOfOrder: true,
	});
});

test("a head that was held by a pause is tried before anything passes it", async () => {
	const lead = await queue.addLead();
	await queue.touch(lead);
	await answer(await queue.claim(), 500);
	await queue.pause();
	queue.clock.advance(DAY_MS);
	await passFailingHeads(queue.store, queue.clock());
	await queue.resume();
	await passFailingHeads(queue.store, queue.clock());
	expect(sequencesOf(await queue.claim())).toEqual([1]);
});

test("an integration that has only failed for five days is paused as failing, and a success begins the days anew", async () => {
	const fail = async () => {
		await queue.addLead();
		await answer(await queue.claim(), 500);
	};
	await fail();
	queue.clock.advance(4 * DAY_MS);
	await queue.addLead();
	await answer(await queue.claim(), 200);
	await fail();
	queue.clock.advance(5 * DAY_MS - 1000);
	await fail();
	expect(await integration()).toMatchObject({ status: "active" });
	queue.clock.advance(1000);
	await fail();
	expect(await integration()).toMatchObject({
		status: "paused",
		pauseReason: "failing",
	});
	const [entry] = (await rowsOf(queue, "audit")).filter(
		({ action }) => action === "paused",
	);
	expect(entry).toMatchObject({ actor: "Partnerwire", entity: "integration" });
	// After a resume it has five days again.
	await queue.resume();
	await fail();
	expect(await integration()).toMatchObject({ status: "active" });
});

test("a 410 fails the delivery and pauses the integration as gone", async () => {
	await queue.addLead();
	await answer(await queue.claim(), 410);
	expect(await integration()).toMatchObject({
		status: "paused",
		pauseReason: "gone",
	});
	expect(await show(1)).toMatchObject({
		status: "failed",
		attempts: [{ failure: { class: "gone", stage: "status" } }],
	});
});

test("the tenth failure is the last: the delivery is kept, listed and can be redelivered on a new schedule", async () => {
	await queue.addLead();
	for (let made = 0; made < 10; made++) {
		await answer(await queue.claim(), 500);
		queue.clock.advance(DAY_MS + MINUTE_MS);
		await queue.resume();
	}
	expect(await queue.claim()).toEqual([]);
	const failed = await queue.execute(
		"listWebhookEvents",
		{ query: { status: "failed" } },
		queue.caller,
	);
	expect(failed.data).toMatchObject([{ attempt_count: 10, sequence: 1 }]);
	const uuid = failed.data[0]?.uuid ?? "";
	await queue.execute(
		"redeliverWebhookEvent",
		{ params: { uuid } },
		queue.caller,
	);
	const again = await queue.claim();
	expect(again[0]?.uuid).toBe(uuid);
	await answer(again, 500);
	expect(await show(1)).toMatchObject({
		status: "pending",
		waiting_for: "schedule",
		attempt_count: 11,
	});
});
