import { expect, test } from "vitest";
import { rowsOf } from "#kit/database/open-core.ts";
import { openQueue, sequencesOf, type TestQueue } from "#kit/database/queue.ts";
import { openStore, runReplays } from "../../src/index.ts";

type Body = Parameters<typeof create>[1];

const create = (
	queue: TestQueue,
	body: Partial<{
		since: string;
		until: string;
		statuses: ("delivered" | "failed" | "dropped" | "pending")[];
		event_ids: ("lead_created" | "lead_updated")[];
		rate_per_second: number;
		fresh: boolean;
		dry_run: boolean;
	}> = {},
) =>
	queue.execute(
		"createWebhookReplay",
		{ body: { integration_id: queue.integrationId, ...body } },
		queue.caller,
	);
const show = (queue: TestQueue, uuid: string | null) =>
	queue.execute(
		"getWebhookReplay",
		{ params: { uuid: uuid as string } },
		queue.caller,
	);
const run = (queue: TestQueue) => runReplays(queue.store, queue.clock());

/** A queue with a number of leads. The deliveries in `failed`, by sequence, have failed, the others are delivered. */
async function openWith(leads: number, failed: readonly number[] = []) {
	const queue = await openQueue();
	for (let lead = 0; lead < leads; lead++) {
		await queue.addLead();
		queue.clock.advance(1000);
	}
	const all = await queue.claim();
	const fails = ({ sequence }: { sequence: number }) =>
		failed.includes(sequence);
	await queue.recordAll(all.filter(fails), "failed");
	await queue.recordAll(
		all.filter((one) => !fails(one)),
		"delivered",
	);
	return queue;
}

const pendingOf = async (queue: TestQueue) =>
	sequencesOf(
		(await queue.deliveries()).filter(({ state }) => state === "pending"),
	);

async function balanced(queue: TestQueue) {
	const ledger = await queue.execute("getWebhookLedger", {}, queue.caller);
	expect(ledger.data.map(({ problem }) => problem)).toEqual([null]);
}

test("a dry run counts and leaves nothing", async () => {
	const queue = await openWith(5, [2, 4]);
	const { uuid, status, counts } = await create(queue, { dry_run: true });
	expect({ uuid, status, counts }).toEqual({
		uuid: null,
		status: "dry_run",
		counts: { matched: 2, replayed: 0, skipped: 0, remaining: 2, changed: 0 },
	});
	expect(await rowsOf(queue, "webhookReplay")).toEqual([]);
	await queue.close();
});

const FILTERS: [string, Body, number[]][] = [
	["failed ones by default", {}, [2, 4]],
	["by status", { statuses: ["delivered"] }, [1, 3, 5]],
	[
		"by time: since is inclusive, until is not",
		{
			statuses: ["delivered", "failed"],
			since: "2026-11-27T12:00:01Z",
			until: "2026-11-27T12:00:03Z",
		},
		[2, 3],
	],
	[
		"by event: none",
		{ statuses: ["delivered", "failed"], event_ids: ["lead_updated"] },
		[],
	],
];
test.each(FILTERS)("it selects %s", async (_, body, expected) => {
	const queue = await openWith(5, [2, 4]);
	const { uuid, counts } = await create(queue, body);
	expect(counts.matched).toBe(expected.length);
	queue.clock.advance(1000);
	await run(queue);
	expect(await pendingOf(queue)).toEqual(expected);
	const done = await show(queue, uuid);
	expect(done).toMatchObject({
		status: "completed",
		counts: { replayed: expected.length, remaining: 0, skipped: 0 },
		ends_at: null,
		finished_at: expect.any(String),
	});
	await balanced(queue);
	await queue.close();
});

test("a replayed delivery keeps its jti and is retried like any; a fresh one is new", async () => {
	const queue = await openWith(1);
	await create(queue, { statuses: ["delivered"] });
	queue.clock.advance(1000);
	await run(queue);
	const [again] = await queue.claim();
	const [before] = await queue.deliveries();
	expect(again).toMatchObject({
		uuid: before?.uuid,
		attempts: 1,
		attemptsBefore: 1,
	});
	await queue.recordAll([again as never], "retry", queue.clock());
	expect(await queue.claim()).toMatchObject([{ attempts: 2 }]);

	const other = await openWith(1);
	const { uuid } = await create(other, {
		statuses: ["delivered"],
		fresh: true,
	});
	other.clock.advance(1000);
	await run(other);
	await run(other);
	const rows = await other.deliveries();
	expect(rows.map(({ sequence, state }) => [sequence, state])).toEqual([
		[1, "delivered"],
		[2, "pending"],
	]);
	expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(2);
	expect(await show(other, uuid)).toMatchObject({ status: "completed" });
	await balanced(other);
	await queue.close();
	await other.close();
});

test.each([1, 7, 100])(
	"at %i a second, however often it is worked and by however many",
	async (rate_per_second) => {
		const queue = await openWith(25);
		await create(queue, { statuses: ["delivered"], rate_per_second });
		let replayed = 0;
		for (let tenth = 1; tenth <= 40 && replayed < 25; tenth++) {
			queue.clock.advance(100);
			const both = await Promise.all([run(queue), run(queue)]);
			replayed += both[0] + both[1];
			const due = Math.floor((tenth * rate_per_second) / 10 + 1e-6);
			expect(replayed).toBe(Math.min(25, due));
		}
		await queue.close();
	},
);

test("time without a process is not made up for, and a clock set back stops nothing for long", async () => {
	const queue = await openWith(25);
	await create(queue, { statuses: ["delivered"], rate_per_second: 5 });
	queue.clock.advance(3_600_000);
	expect(await run(queue)).toBe(10);
	queue.clock.advance(-3_600_000);
	await run(queue);
	queue.clock.advance(1000);
	expect(await run(queue)).toBe(0);
	queue.clock.advance(3_601_000);
	expect(await run(queue)).toBe(10);
	await queue.close();
});

test("another process goes on where a killed one was", async () => {
	const queue = await openWith(20);
	await create(queue, { statuses: ["delivered"], rate_per_second: 10 });
	queue.clock.advance(1000);
	expect(await run(queue)).toBe(10);
	await queue.close();
	const store = await openStore(queue.path);
	queue.clock.advance(500);
	expect(await runReplays(store, queue.clock())).toBe(5);
	queue.clock.advance(500);
	expect(await runReplays(store, queue.clock())).toBe(5);
	const rows = await rowsOf({ store }, "delivery");
	expect(sequencesOf(rows.filter(({ state }) => state === "pending"))).toEqual(
		Array.from({ length: 20 }, (_, at) => at + 1),
	);
	expect(await rowsOf({ store }, "webhookReplay")).toMatchObject([
		{ status: "completed", replayed: 20, skipped: 0 },
	]);
	await store.close();
});

test("while its integration is paused it waits, and a deletion ends it", async () => {
	const queue = await openWith(3);
	const { uuid } = await create(queue, { statuses: ["delivered"] });
	await queue.pause();
	queue.clock.advance(60_000);
	expect(await run(queue)).toBe(0);
	expect(await show(queue, uuid)).toMatchObject({
		status: "running",
		waiting_for: "pause",
		ends_at: null,
	});
	await queue.resume();
	expect(await show(queue, uuid)).toMatchObject({ waiting_for: null });
	const params = { integration_id: queue.integrationId };
	await queue.execute("deleteIntegration", { params }, queue.caller);
	await run(queue);
	expect(await show(queue, uuid)).toMatchObject({
		status: "cancelled",
		reason: "the integration was deleted",
		counts: { matched: 3, replayed: 0, changed: 3, remaining: 0 },
	});
	await queue.close();
});

test("cancelled, it gives nothing back any more; a second time is no change, a completed one a conflict", async () => {
	const queue = await openWith(10);
	const { uuid } = await create(queue, {
		statuses: ["delivered"],
		rate_per_second: 4,
	});
	queue.clock.advance(1000);
	await run(queue);
	const params = { uuid: uuid as string };
	const cancel = () =>
		queue.execute("cancelWebhookReplay", { params }, queue.caller);
	const cancelled = await cancel();
	expect(cancelled).toMatchObject({
		status: "cancelled",
		counts: { replayed: 4, changed: 6, remaining: 0 },
	});
	queue.clock.advance(60_000);
	expect(await run(queue)).toBe(0);
	expect(await cancel()).toEqual(cancelled);
	const actions = (await rowsOf(queue, "audit"))
		.filter(({ entity }) => entity === "webhook_replay")
		.map(({ action }) => action);
	expect(actions).toEqual(["created", "cancelled"]);
	await queue.close();
});

test("what waits in its lane or is too large is skipped and counted, never left out silently", async () => {
	const queue = await openQueue();
	const lead = await queue.addLead();
	await queue.touch(lead);
	const { delivery } = queue.store.tables;
	const { uuid } = await create(queue, { statuses: ["pending"] });
	queue.clock.advance(1000);
	await run(queue);
	expect(await show(queue, uuid)).toMatchObject({
		status: "completed",
		counts: { matched: 2, replayed: 1, skipped: 1, remaining: 0, changed: 0 },
	});
	await queue.store.write(({ query }) =>
		query.update(delivery).set({ dueAt: 0 }),
	);
	await balanced(queue);
	await queue.close();
});

test("replayed deliveries of a record that has gone on are marked out of order; they hold nobody up", async () => {
	const queue = await openQueue();
	const lead = await queue.addLead();
	await queue.touch(lead);
	await queue.recordAll(await queue.claim(), "failed");
	await queue.recordAll(await queue.claim(), "delivered");
	await create(queue, { statuses: ["failed"] });
	queue.clock.advance(1000);
	await run(queue);
	const [first] = await queue.deliveries();
	expect(first).toMatchObject({ ready: true, passed: true, outOfOrder: true });
	await queue.close();
});

test("another company's integration is a 400 and its replay a 404", async () => {
	const queue = await openWith(1);
	const other = await queue.addCaller();
	const body = { integration_id: queue.integrationId };
	await expect(
		queue.execute("createWebhookReplay", { body }, other),
	).rejects.toMatchObject({ code: "validation_error" });
	const { uuid } = await create(queue);
	for (const id of ["getWebhookReplay", "cancelWebhookReplay"] as const)
		await expect(
			queue.execute(id, { params: { uuid: uuid as string } }, other),
		).rejects.toMatchObject({ code: "not_found" });
	await queue.close();
});
