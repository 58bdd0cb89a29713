import fc from "fast-check";
import { expect, test } from "vitest";
import { rowsOf } from "#kit/database/open-core.ts";
import { openQueue, type TestQueue } from "#kit/database/queue.ts";
import { removeExpired } from "../../src/index.ts";
import { rerunWrites } from "../support/rerun-writes.ts";

const DAY_MS = 24 * 3_600_000;

const purge = (
	queue: TestQueue,
	statuses: ("delivered" | "failed" | "dropped" | "held")[],
	body: { until?: string; dry_run?: boolean } = {},
) =>
	queue.execute(
		"purgeWebhookEvents",
		{ body: { integration_id: queue.integrationId, statuses, ...body } },
		queue.caller,
	);

const states = async (queue: TestQueue) =>
	(await queue.deliveries()).map(({ sequence, state }) => [sequence, state]);

const ledgerOf = async (queue: TestQueue) =>
	(await queue.execute("getWebhookLedger", {}, queue.caller)).data[0];

/** Deliveries: delivered, failed, dropped, and a lane of two whose first has failed once. */
async function openMixed() {
	const queue = await openQueue();
	for (let lead = 0; lead < 2; lead++) await queue.addLead();
	const [first, second] = await queue.claim();
	await queue.recordAll([first as never], "delivered");
	await queue.recordAll([second as never], "failed");
	await queue.addLead();
	const { uuid } = (await queue.deliveries())[2] ?? { uuid: "" };
	await queue.execute("skipWebhookEvent", { params: { uuid } }, queue.caller);
	await queue.touch(await queue.addLead());
	await queue.recordAll(await queue.claim(), "retry", queue.clock() + 5000);
	return queue;
}

const PURGES: [Parameters<typeof purge>[1], number[]][] = [
	[["delivered"], [2, 3, 4, 5]],
	[["failed"], [1, 3, 4, 5]],
	[
		["failed", "dropped"],
		[1, 4, 5],
	],
	[["held"], [1, 2, 3]],
	[["delivered", "failed", "dropped", "held"], []],
];
test.each(PURGES)(
	"purging %j leaves %j, and the ledger adds up",
	async (statuses, left) => {
		const queue = await openMixed();
		await queue.pause();
		const removed = 5 - left.length;
		const counted = await purge(queue, statuses, { dry_run: true });
		expect(counted).toMatchObject({
			matched: removed,
			purged: 0,
			complete: true,
		});
		expect(await states(queue)).toHaveLength(5);
		const done = await purge(queue, statuses);
		expect(done).toMatchObject({
			matched: removed,
			purged: removed,
			complete: true,
		});
		expect((await states(queue)).map(([sequence]) => sequence)).toEqual(left);
		expect(await ledgerOf(queue)).toMatchObject({
			matched: 5,
			purged: removed,
			problem: null,
		});
		const kept = await queue.deliveries();
		const ids = new Set(kept.map(({ id }) => id));
		for (const { deliveryId } of await rowsOf(queue, "attempt"))
			expect(ids).toContain(deliveryId);
		expect((await rowsOf(queue, "event")).map(({ id }) => id)).toEqual(
			kept.map(({ eventRowId }) => eventRowId),
		);
		const audit = (await rowsOf(queue, "audit")).filter(
			({ action }) => action === "purged",
		);
		expect(audit.map(({ changes }) => changes[0])).toMatchObject([
			{ field: "deliveries", new: removed },
		]);
		await queue.close();
	},
);

test("a purge whose batches are rolled back and run again is reported in the audit log once", async () => {
	const queue = await openMixed();
	rerunWrites(queue.store);
	expect(await purge(queue, ["delivered", "failed"])).toMatchObject({
		purged: 2,
		complete: true,
	});
	const audit = (await rowsOf(queue, "audit")).filter(
		({ action }) => action === "purged",
	);
	expect(audit.map(({ changes }) => changes[0])).toMatchObject([
		{ field: "deliveries", new: 2 },
	]);
	await queue.close();
});

test("what waits while its integration is active is never purged, and nothing to purge leaves no audit entry", async () => {
	const queue = await openMixed();
	expect(await purge(queue, ["held"], { dry_run: true })).toMatchObject({
		matched: 0,
	});
	expect(await purge(queue, ["held"])).toMatchObject({ purged: 0 });
	const until = "2026-11-27T12:00:00Z";
	expect(await purge(queue, ["failed"], { until })).toMatchObject({
		purged: 0,
	});
	const audit = await rowsOf(queue, "audit");
	expect(audit.filter(({ action }) => action === "purged")).toEqual([]);
	await queue.close();
});

test("an event stays while another integration still has its delivery", async () => {
	const queue = await openQueue();
	await queue.execute(
		"createIntegration",
		{ body: { label: "Other", webhook_url: "https://other.example/" } },
		queue.caller,
	);
	await queue.addLead();
	const [one] = await queue.claim();
	await queue.recordAll([one as never], "failed");
	await purge(queue, ["failed"]);
	expect(await rowsOf(queue, "event")).toHaveLength(1);
	expect(await queue.deliveries()).toHaveLength(1);
	await queue.close();
});

test("retention removes what was delivered or dropped long enough ago, and keeps the rest", async () => {
	const queue = await openMixed();
	const cutoff = () => queue.clock() - 30 * DAY_MS;
	expect(await removeExpired(queue.store, cutoff())).toBe(0);
	queue.clock.advance(30 * DAY_MS);
	expect(await removeExpired(queue.store, cutoff())).toBe(0);
	queue.clock.advance(1);
	expect(await removeExpired(queue.store, cutoff())).toBe(2);
	expect((await states(queue)).map(([, state]) => state)).toEqual([
		"failed",
		"pending",
		"pending",
	]);
	expect(await ledgerOf(queue)).toMatchObject({ purged: 2, problem: null });
	await queue.close();
});

test("however short its batches are cut, retention removes the same", async () => {
	const ENDS = ["delivered", "failed", "retry"] as const;
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.constantFrom(...ENDS), { minLength: 1, maxLength: 12 }),
			fc.nat(3),
			async (ends, most) => {
				const queue = await openQueue();
				for (const end of ends) {
					await queue.addLead();
					await queue.recordAll(
						await queue.claim({ limit: 1 }),
						end,
						queue.clock() + DAY_MS,
					);
				}
				let batches = 0;
				const removed = await removeExpired(queue.store, queue.clock() + 1, {
					start() {
						batches++;
						let left = most;
						return () => left-- <= 0;
					},
				});
				const delivered = ends.filter((end) => end === "delivered").length;
				expect(removed).toBe(delivered);
				expect(batches).toBe(Math.ceil(delivered / (most + 1)));
				expect(await queue.deliveries()).toHaveLength(ends.length - delivered);
				expect(await ledgerOf(queue)).toMatchObject({
					purged: delivered,
					problem: null,
				});
				await queue.close();
			},
		),
		{ numRuns: 8 },
	);
});

test("retention ends after a batch when it is told to, and goes on with the rest the next time", async () => {
	const queue = await openQueue();
	for (let lead = 0; lead < 3; lead++) await queue.addLead();
	await queue.recordAll(await queue.claim(), "delivered");
	const cutoff = queue.clock() + 1;
	const start = () => () => true;
	const signal = AbortSignal.abort();
	for (const left of [2, 1]) {
		const cut = removeExpired(queue.store, cutoff, { start, signal });
		await expect(cut).rejects.toBe(signal.reason);
		expect(await queue.deliveries()).toHaveLength(left);
		expect(await ledgerOf(queue)).toMatchObject({ problem: null });
	}
	expect(await removeExpired(queue.store, cutoff)).toBe(1);
	await queue.close();
});

test("a redelivery whose later ones may have gone and are removed is marked", async () => {
	const queue = await openQueue();
	const lead = await queue.addLead();
	await queue.recordAll(await queue.claim(), "failed");
	await queue.touch(lead);
	await queue.recordAll(await queue.claim(), "delivered");
	queue.clock.advance(31 * DAY_MS);
	await removeExpired(queue.store, queue.clock() - 30 * DAY_MS);
	const [failed, ...rest] = await queue.deliveries();
	expect(rest).toEqual([]);
	const params = { uuid: failed?.uuid as string };
	await queue.execute(
		"redeliverWebhookEvent",
		{ params, body: {} },
		queue.caller,
	);
	expect(await queue.deliveries()).toMatchObject([
		{ state: "pending", ready: true, passed: true, outOfOrder: true },
	]);
	await queue.close();
});
