import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rowsOf } from "#kit/database/open-core.ts";
import { openQueue, type TestQueue } from "#kit/database/queue.ts";
import {
	finishChanges,
	newUuid,
	openStore,
	type Store,
} from "../../src/index.ts";

const LANES = 450;
const IN_LANE = 3;
/** More deliveries than one request changes. */
const ROWS = LANES * IN_LANE;

let queue: TestQueue;
beforeEach(async () => {
	queue = await openQueue();
	await queue.addLead();
	await fill();
});
afterEach(() => queue.close());

/** Adds waiting deliveries in lanes of three: first the first of each lane, then the second, then the third. */
async function fill(): Promise<void> {
	const [first] = await queue.deliveries();
	if (!first) throw new Error("there is no delivery");
	const { id: _, ...columns } = first;
	const rows = Array.from({ length: ROWS }, (__, at) => ({
		...columns,
		uuid: newUuid(queue.clock()),
		lane: laneOf(at % LANES),
		sequence: first.sequence + 1 + at,
		ready: at < LANES,
	}));
	await queue.store.write(async ({ query, tables }) => {
		for (let at = 0; at < ROWS; at += LANES)
			await query.insert(tables.delivery).values(rows.slice(at, at + LANES));
		await query.update(tables.integration).set({ sequence: ROWS + 1 });
	});
}
const laneOf = (lane: number) =>
	`01990000-0000-7000-8000-${String(lane).padStart(12, "0")}`;

const params = () => ({ integration_id: queue.integrationId });
const setOrder = (ordering: "none" | "record") =>
	queue.execute(
		"updateIntegration",
		{ params: params(), body: { ordering } },
		queue.caller,
	);
const remove = () =>
	queue.execute(
		"deleteIntegration",
		{ params: params(), query: { force: true } },
		queue.caller,
	);
const finish = (store: Store = queue.store, signal?: AbortSignal) =>
	finishChanges(store, queue.clock(), signal);
const claimAll = () => queue.claim({ limit: 10_000 });
const integration = async () => (await rowsOf(queue, "integration"))[0];
const countOf = async (state: string) =>
	(await queue.deliveries()).filter((row) => row.state === state).length;

/** The store of a process that is killed after a number of transactions. */
const mortal = (writes: number): Store => ({
	...queue.store,
	write: (work, scope) =>
		writes-- > 0
			? queue.store.write(work, scope)
			: Promise.reject(new Error("killed")),
});

/** Expects that exactly the first delivery of each lane can be claimed. */
async function expectHeads(): Promise<void> {
	const claimed = await claimAll();
	expect(claimed).toHaveLength(LANES + 1);
	expect(Math.max(...claimed.map(({ sequence }) => sequence))).toBe(LANES + 1);
}

describe("deleting an integration with more deliveries than one request changes", () => {
	test("nothing of it is sent any more, at once; the rest is dropped in parts, also by another process", async () => {
		const claimed = await queue.claim({ limit: 5 });
		await remove();
		expect(await countOf("pending")).toBeGreaterThan(0);
		expect(await claimAll()).toEqual([]);
		expect(await queue.recordAll(claimed, "delivered")).toBe(0);
		const { data } = await queue.execute(
			"listWebhookEvents",
			{ query: { per_page: 100 } },
			queue.caller,
		);
		expect(new Set(data.map(({ status }) => status))).toEqual(
			new Set(["dropped"]),
		);
		await expect(finish(mortal(1))).rejects.toThrow("killed");
		const { settled = 0, sequence = 0 } = (await integration()) ?? {};
		expect(settled).toBeLessThan(sequence);
		expect(sequence - settled).toBe(await countOf("pending"));
		const other = await openStore(queue.path);
		await Promise.all([finish(), finish(other)]);
		await other.close();
		expect(await countOf("dropped")).toBe(ROWS + 1);
		expect(await integration()).toMatchObject({ settled: ROWS + 1 });
		await finish(mortal(0));
	});
});

describe("another order of more deliveries than one request changes", () => {
	test("without an order all of them may go in the end", async () => {
		await setOrder("none");
		// A process that must stop does so after one part.
		const signal = AbortSignal.abort();
		await expect(finish(mortal(1), signal)).rejects.toBe(signal.reason);
		await expect(finish(mortal(1))).rejects.toThrow("killed");
		await finish();
		expect(await claimAll()).toHaveLength(ROWS + 1);
		expect(await integration()).toMatchObject({ relanedTo: null });
		await finish(mortal(0));
	});

	test("with an order nothing is claimed before only the first of each lane can be, wherever a process was killed", async () => {
		await setOrder("none");
		await finish();
		await setOrder("record");
		for (const writes of [1, 2]) {
			expect(await claimAll()).toEqual([]);
			await expect(finish(mortal(writes))).rejects.toThrow("killed");
		}
		const other = await openStore(queue.path);
		await Promise.all([finish(), finish(other)]);
		await other.close();
		await expectHeads();
		await finish(mortal(0));
	});

	test("what is under way, and what is made meanwhile, keeps its place", async () => {
		await setOrder("none");
		await finish();
		const { delivery } = queue.store.tables;
		const [last] = await queue.store.read.query
			.select()
			.from(delivery)
			.where(eq(delivery.sequence, ROWS + 1));
		const claimed = (await claimAll()).filter(({ id }) => id === last?.id);
		await queue.store.write(({ query }) =>
			query
				.update(delivery)
				.set({ state: "pending", leaseUntil: null })
				.where(eq(delivery.lease, 1)),
		);
		await queue.store.write(({ query }) =>
			query
				.update(delivery)
				.set({ state: "delivering" })
				.where(eq(delivery.id, last?.id ?? 0)),
		);
		await setOrder("record");
		const lead = await queue.addLead();
		await queue.touch(lead);
		await expect(finish(mortal(1))).rejects.toThrow("killed");
		expect(await queue.recordAll(claimed, "delivered")).toBe(1);
		await finish();
		// The first of each old lane, and of the new one.
		expect(await claimAll()).toHaveLength(LANES + 2);
		const recorded = (await queue.deliveries()).find(
			({ id }) => id === last?.id,
		);
		expect(recorded).toMatchObject({ state: "delivered", outOfOrder: true });
	});

	test("and back again before it was done, it is as it was", async () => {
		await setOrder("none");
		await expect(finish(mortal(2))).rejects.toThrow("killed");
		await setOrder("record");
		await finish();
		await expectHeads();
	});
});
