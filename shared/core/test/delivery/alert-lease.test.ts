import { afterEach, beforeEach, expect, test } from "vitest";
import { addIntegration, rowsOf } from "#kit/database/open-core.ts";
import {
	type Outcome,
	openQueue,
	type TestQueue,
	toOutcome,
} from "#kit/database/queue.ts";
import {
	openStore,
	planAlert,
	raiseAlerts,
	recordAttempts,
	type Store,
	takeDueAlerts,
} from "../../src/index.ts";

const MINUTE_MS = 60_000;
const LEASE_MS = 70_000;

let queue: TestQueue;
/** The store of another process on the same database. */
let other: Store;
beforeEach(async () => {
	queue = await openQueue();
	other = await openStore(queue.path);
});
afterEach(async () => {
	await other.close();
	await queue.close();
});

const nowOf = (offMs: number) => queue.clock() + offMs;
/** Records an attempt of all due deliveries, by a process whose clock is wrong by `offMs`. */
async function attempt(store: Store, outcome: Outcome, offMs: number) {
	queue.clock.advance(1);
	await queue.addLead();
	const claimed = await queue.claim({ nowMs: nowOf(MINUTE_MS) });
	const results = claimed.map((one) => toOutcome(one, outcome, queue.clock()));
	await recordAttempts(store, results, nowOf(offMs));
}
const raise = (store: Store, offMs: number) =>
	raiseAlerts(store, {
		nowMs: nowOf(offMs),
		sends: true,
		ageMs: 10 * MINUTE_MS,
		everyMs: 60 * MINUTE_MS,
	});
const take = (store: Store, offMs: number, leaseMs = LEASE_MS) =>
	takeDueAlerts(store, { nowMs: nowOf(offMs), leaseMs });

/** Clocks that are a minute apart: how wrong that of each process is. */
const APART: [first: number, second: number][] = [
	[0, MINUTE_MS],
	[MINUTE_MS, 0],
	[-30_000, 30_000],
];

test.each(APART)(
	"processes at %i and %i ms raise an alert once, and send it once",
	async (first, second) => {
		await attempt(queue.store, "retry", first);
		const raised = await Promise.all([
			raise(queue.store, first),
			raise(other, second),
		]);
		expect(raised.flat().map(({ kind }) => kind)).toEqual(["failing"]);
		queue.clock.advance(MINUTE_MS);
		const sent: string[] = [];
		for (let times = 0; times < 3; times++) {
			const due = await Promise.all([
				take(queue.store, first),
				take(other, second),
			]);
			sent.push(...due.flat().map(({ uuid }) => uuid));
			// Longer than the lease by each process's clock, and no time at all by the database's clock.
			queue.clock.advance(2 * LEASE_MS);
		}
		expect(sent).toEqual(raised.flat().map(({ uuid }) => uuid));
	},
);

test.each(APART)(
	"a failure at %i ms and a success at %i ms are told once each, in this order",
	async (first, second) => {
		await attempt(queue.store, "retry", first);
		const kinds = [];
		for (const store of [queue.store, other, queue.store])
			kinds.push(...(await raise(store, store === other ? second : first)));
		await attempt(other, "delivered", second);
		for (const store of [queue.store, other, queue.store])
			kinds.push(...(await raise(store, store === other ? second : first)));
		expect(kinds.map(({ kind }) => kind)).toEqual(["failing", "recovered"]);
	},
);

test("what a killed process was sending is sent by another one when its lease has ended; its late word changes nothing", async () => {
	await attempt(queue.store, "retry", 0);
	await raise(queue.store, 0);
	const [killed] = await take(queue.store, 0, -1000);
	const [taken] = await take(other, 0);
	expect(taken).toMatchObject({ uuid: killed?.uuid, attempts: 1 });
	expect(await planAlert(queue.store, killed as never, null)).toBe(false);
	expect(await planAlert(queue.store, killed as never, 1)).toBe(false);
	expect(await take(queue.store, 0), "it is still the other's").toEqual([]);
	expect(await planAlert(other, taken as never, nowOf(1000))).toBe(true);
	expect(await take(queue.store, 0)).toEqual([]);
	const [again] = await take(queue.store, 1000);
	expect(again).toMatchObject({ uuid: killed?.uuid, attempts: 2 });
	expect(await planAlert(queue.store, again as never, null)).toBe(true);
	expect(await take(other, 24 * 60 * MINUTE_MS)).toEqual([]);
});

test("of many that are due two processes take each once", async () => {
	for (let count = 0; count < 9; count++)
		await addIntegration(queue, queue.caller);
	await attempt(queue.store, "retry", 0);
	expect(await raise(queue.store, 0)).toHaveLength(10);
	const stores = [queue.store, other, queue.store, other];
	const all = await Promise.all(stores.map((store) => take(store, 0)));
	expect(new Set(all.flat().map(({ id }) => id)).size).toBe(10);
	expect(all.flat()).toHaveLength(10);
	expect(await rowsOf(queue, "alert")).toHaveLength(10);
});
