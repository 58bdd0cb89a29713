import { afterEach, beforeEach, expect, test } from "vitest";
import { hold } from "#kit/database/holding.ts";
import { openQueue, type TestQueue } from "#kit/database/queue.ts";
import { beginWatch, type WatchCursor, watch } from "../../src/index.ts";

let queue: TestQueue;
let cursor: WatchCursor;
beforeEach(async () => {
	queue = await openQueue();
	for (let count = 0; count < 3; count++) await queue.addLead();
});
afterEach(() => queue.close());

const begin = async () => {
	cursor = await beginWatch(queue.store.read, queue.clock());
};
async function look() {
	const { store, clock, caller } = queue;
	const companies = [caller.companyUuid];
	const seen = await watch(store.read, cursor, companies, clock());
	cursor = seen.cursor;
	const uuids = seen.deliveries.map(({ uuid }) => uuid);
	const integrations = seen.integrations.map(({ status }) => status);
	return { uuids, integrations, overflow: seen.overflow };
}
/** Looks several times, because other transactions of the server may still be open. */
async function lookOn() {
	const seen: string[] = [];
	for (let times = 0; times < 5; times++) seen.push(...(await look()).uuids);
	return seen;
}

const uuidOf = async (id: number) =>
	(await queue.deliveries()).find((row) => row.id === id)?.uuid;
const attempt = (deliveryId: number) =>
	`insert into attempt (delivery_id, number, started_at, duration_ms, retried_on_reset) values (${deliveryId}, 1, 0, 1, false)`;
/** Inserts a copy of a delivery, with its own lane and sequence. */
const deliver = (sequence: number) =>
	`insert into delivery (uuid, integration_id, event_row_id, configuration_id, lane, sequence, state, ready, due_at, attempts, lease, created_at)
	select gen_random_uuid(), integration_id, event_row_id, configuration_id, gen_random_uuid(), ${sequence}, state, ready, due_at, 0, 0, created_at
	from delivery where id = 1`;

test("attempts that are committed in the reverse order of their keys are all told, each once", async () => {
	await begin();
	const first = await hold(queue.path, attempt(1));
	const second = await hold(queue.path, attempt(2));
	const third = await hold(queue.path, attempt(3));
	await third.release();
	expect((await look()).uuids).toEqual([await uuidOf(3)]);
	await second.release("rollback");
	expect(await lookOn()).toEqual([]);
	await first.release();
	expect(await lookOn()).toEqual([await uuidOf(1)]);
});

test("so are deliveries", async () => {
	await begin();
	const first = await hold(queue.path, deliver(101), deliver(102));
	const second = await hold(queue.path, deliver(103));
	await second.release();
	expect((await look()).uuids).toEqual([await uuidOf(6)]);
	expect((await look()).uuids).toEqual([]);
	await first.release();
	const found = await lookOn();
	expect(found).toEqual([await uuidOf(4), await uuidOf(5)]);
});

test("what was under way when somebody began to watch makes them look for themselves once it is over", async () => {
	const early = await hold(queue.path, attempt(1));
	const late = await hold(queue.path, attempt(2));
	await late.release();
	await begin();
	expect((await look()).overflow).toBe(false);
	await early.release();
	await expect.poll(async () => (await look()).overflow).toBe(true);
	for (let times = 0; times < 5; times++)
		expect((await look()).overflow).toBe(false);
});

test("what somebody did on a node whose clock is a minute behind, or ahead, is reported once", async () => {
	await begin();
	for (const offMs of [-60_000, 60_000]) {
		queue.clock.advance(offMs);
		await queue.pause();
		await queue.resume();
		queue.clock.advance(-offMs);
		const { integrations } = await look();
		expect(integrations).toEqual(["active"]);
		queue.clock.advance(1000);
		expect(await look()).toMatchObject({ integrations: [], uuids: [] });
	}
	for (let times = 0; times < 200; times++) {
		queue.clock.advance(1000);
		expect(await look()).toMatchObject({ integrations: [], uuids: [] });
	}
});
