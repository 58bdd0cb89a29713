// The lock of a worker on PostgreSQL: a session advisory lock.
import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "#kit/database/database.ts";
import { onDatabase } from "#kit/database/database-client.ts";
import type { WorkerLock } from "../../../src/db/db.ts";
import { openStore, StorageError } from "../../../src/index.ts";

async function lockOn(database: string, onAdopt = async () => {}) {
	const store = await openStore(database);
	onTestFinished(() => store.close());
	const adopted: [number, number][] = [];
	const faults: unknown[] = [];
	const lock = store.openWorkerLock({
		adopt: async (fromId, toId) => {
			await onAdopt();
			adopted.push([fromId, toId]);
		},
		onFault: (fault) => faults.push(fault),
	});
	onTestFinished(() => lock.close());
	await lock.ready;
	return { store, lock, adopted, faults };
}

/** Looks until workers are found dead, and returns their numbers. */
const pollDead = async (
	lock: WorkerLock,
	ids: readonly number[],
	alongside = async () => {},
) => {
	const found: number[] = [];
	await expect
		.poll(async () => {
			await alongside();
			await lock.releaseDead(ids, async (dead) => {
				found.push(...dead);
			});
			return found.length;
		})
		.toBeGreaterThan(0);
	return found;
};

/** Ends the connections that listen, as a restart of the server or a cut network does. */
const cutListeners = (database: string) =>
	onDatabase(database, (client) =>
		client.query(
			"select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
		),
	);

test("a held lock is seen by other workers, and a free one is believed only after a while", async () => {
	const database = await newDatabase();
	const { lock: live } = await lockOn(database);
	const { lock } = await lockOn(database);
	expect(live.id).toBeGreaterThan(0);
	let releases = 0;
	await lock.releaseDead([71], async () => {
		releases++;
	});
	expect(releases, "not at the first look").toBe(0);
	expect(await pollDead(lock, [live.id as number, 71])).toEqual([71]);
});

test("a worker that stops frees its lock", async () => {
	const database = await newDatabase();
	const { lock: stopping } = await lockOn(database);
	const { lock } = await lockOn(database);
	const id = stopping.id as number;
	await stopping.close();
	expect(stopping.id).toBe(null);
	expect(await pollDead(lock, [id])).toEqual([id]);
});

test("a worker that lost its connection holds a new lock, and has its claims handed over first", async () => {
	const database = await newDatabase();
	const { lock, adopted, faults } = await lockOn(database);
	const before = lock.id as number;
	await cutListeners(database);
	await expect.poll(() => lock.id ?? before).not.toBe(before);
	expect(adopted).toEqual([[before, lock.id]]);
	expect(faults).toEqual([]);
});

test("a worker whose pool fails while it gets a new lock tries again on the connection that it has", async () => {
	const database = await newDatabase();
	let failures = 0;
	const { lock, adopted, faults } = await lockOn(database, async () => {
		if (failures++ === 0)
			throw new StorageError("database_busy", "no connection is left");
	});
	const before = lock.id as number;
	await cutListeners(database);
	await expect
		.poll(() => [adopted.length, lock.id !== null], { timeout: 15_000 })
		.toEqual([1, true]);
	expect(adopted).toEqual([[before, lock.id]]);
	expect(faults).toHaveLength(1);
	const locks = await onDatabase(database, (client) =>
		client.query(
			"select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())",
		),
	);
	expect(locks.rowCount).toBe(1);
});

test("after a reconnect a worker believes for some seconds that others reconnect too", async () => {
	const database = await newDatabase();
	const { lock } = await lockOn(database);
	const { lock: steady } = await lockOn(await newDatabase());
	const before = lock.id;
	await cutListeners(database);
	await expect.poll(() => lock.id ?? before).not.toBe(before);
	const dead: number[] = [];
	// As long as a worker that was never cut off takes to find it.
	await pollDead(steady, [71], () =>
		lock.releaseDead([71], async (ids) => {
			dead.push(...ids);
		}),
	);
	expect(dead).toEqual([]);
});

test("a listen_url that leads elsewhere is told once: nobody could see its lock", async () => {
	const url = new URL(await newDatabase());
	url.searchParams.set("listen_url", await newDatabase());
	const { lock, faults } = await lockOn(url.toString());
	expect(lock.id).toBe(null);
	expect(faults).toEqual([
		expect.objectContaining({
			message: expect.stringContaining("listen_url leads to another database"),
		}),
	]);
});
