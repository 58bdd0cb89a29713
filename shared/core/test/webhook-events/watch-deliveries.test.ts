import { afterAll, beforeAll, expect, test } from "vitest";
import { openQueue, type TestQueue } from "#kit/database/queue.ts";
import { beginWatch, type WatchCursor, watch } from "../../src/index.ts";

let queue: TestQueue;
let cursor: WatchCursor;
beforeAll(async () => {
	queue = await openQueue();
	cursor = await beginWatch(queue.store.read, queue.clock());
});
afterAll(() => queue.close());

/** The changes since the last look, of the queue's company by default. */
async function look(companyUuid = queue.caller.companyUuid) {
	const { store, clock } = queue;
	const seen = await watch(store.read, cursor, [companyUuid], clock());
	cursor = seen.cursor;
	return {
		overflow: seen.overflow,
		statuses: seen.deliveries.map(({ status }) => status),
		integrations: seen.integrations.map(({ status }) => status),
		seen,
	};
}
const nothing = { overflow: false, statuses: [], integrations: [] };

test("what is made, attempted, paused, skipped and redelivered is reported once, with its status of now", async () => {
	await look();
	expect(await look()).toMatchObject(nothing);

	const lead = await queue.addLead();
	const made = await look();
	expect(made).toMatchObject({ ...nothing, statuses: ["pending"] });
	expect(made.seen.deliveries[0]).toMatchObject({
		companyUuid: queue.caller.companyUuid,
		integration_id: queue.integrationId,
		event_id: "lead_created",
		updated_at: new Date(queue.clock()).toISOString(),
	});
	expect(await look()).toMatchObject(nothing);

	await queue.recordAll(await queue.claim(), "delivered");
	expect(await look()).toMatchObject({ ...nothing, statuses: ["delivered"] });

	await queue.touch(lead);
	await queue.recordAll(await queue.claim(), "retry", queue.clock() + 5000);
	expect((await look()).statuses, "made and attempted, told once").toEqual([
		"pending",
	]);

	await queue.pause();
	expect((await look()).integrations).toEqual(["paused"]);
	const uuid = (await queue.deliveries())[1]?.uuid ?? "";
	await queue.execute("skipWebhookEvent", { params: { uuid } }, queue.caller);
	expect(await look()).toMatchObject({ ...nothing, statuses: ["dropped"] });
	await queue.execute(
		"redeliverWebhookEvent",
		{ params: { uuid } },
		queue.caller,
	);
	expect(await look()).toMatchObject({ ...nothing, statuses: ["held"] });
	await queue.resume();
	expect((await look()).integrations).toEqual(["active"]);
	queue.clock.advance(60_000);
	expect(await look()).toMatchObject(nothing);
});

test("another company learns nothing of it", async () => {
	const { companyUuid } = await queue.addCaller();
	await queue.addLead();
	await queue.pause();
	expect(await look(companyUuid)).toMatchObject(nothing);
	await queue.resume();
	await look();
});

test("more than can be told is an overflow, after which it goes on", async () => {
	const lead = await queue.addLead();
	await look();
	for (let times = 0; times < 251; times++) await queue.touch(lead);
	expect(await look()).toMatchObject({ ...nothing, overflow: true });
	expect(await look()).toMatchObject(nothing);
	await queue.touch(lead);
	expect(await look()).toMatchObject({ ...nothing, statuses: ["pending"] });
});
