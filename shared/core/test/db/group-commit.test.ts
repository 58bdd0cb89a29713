// Writes of SQLite that share a transaction; power-cut.test.ts has their durability.

import { setImmediate as nextCallback } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { openSqliteStore, type Store } from "../../src/index.ts";
import { namesIn, put } from "../support/settings.ts";

let path: string;
let store: Store;
let batches: number[];

beforeEach(() => {
	batches = [];
	path = newDatabasePath();
	store = openSqliteStore(path, {
		onBatch: (writes) => batches.push(writes),
		// The speed of the machine must not decide where a batch ends.
		maxBatchMs: 10_000,
	});
});
afterEach(() => store.close());

const names = async () => (await namesIn(store.read)).sort();

test("64 concurrent writers share commits: more than 5 writes in a batch on average", async () => {
	const write = async (writer: number) => {
		for (let turn = 0; turn < 10; turn++) {
			// Each request arrives in its own callback, not all in one.
			await nextCallback();
			await store.write(put(`${writer}-${turn}`));
		}
	};
	await Promise.all(Array.from({ length: 64 }, (_, writer) => write(writer)));
	const writes = batches.reduce((sum, size) => sum + size, 0);
	expect(writes).toBe(640);
	expect(writes / batches.length).toBeGreaterThan(5);
	expect(await names()).toHaveLength(640);
});

test("a failing write in a batch fails alone and leaves no row", async () => {
	const outcomes = await Promise.allSettled(
		["a", "b", "c", "d"].map((name) =>
			store.write(async (db) => {
				await put(name)(db);
				if (name === "b") throw new Error("b does not want to");
				if (name === "c") await put("a")(db);
				return name;
			}),
		),
	);
	expect(outcomes.map(({ status }) => status)).toEqual([
		"fulfilled",
		"rejected",
		"rejected",
		"fulfilled",
	]);
	expect((outcomes[1] as PromiseRejectedResult).reason.message).toBe(
		"b does not want to",
	);
	expect(await names()).toEqual(["a", "d"]);
	expect(batches).toEqual([4]);
});

test("a write that fails without others leaves no row, and is no commit", async () => {
	const failing = store.write(async (db) => {
		await put("a")(db);
		throw new TypeError("not after all");
	});
	await expect(failing).rejects.toThrow(new TypeError("not after all"));
	const twice = store.write(async (db) => {
		await put("a")(db);
		await put("a")(db);
	});
	await expect(twice).rejects.toThrow(/UNIQUE|insert into/i);
	expect(batches).toEqual([]);
	await store.write(put("b"));
	expect(await names()).toEqual(["b"]);
	expect(batches).toEqual([1]);
});

test("a nested write is refused after its time, and the outer one goes on", async () => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	try {
		let outer: Promise<number> | undefined;
		await new Promise<void>((enter) => {
			outer = store.write(async (db) => {
				const inner = store.write(put("inner"));
				enter();
				await expect(inner).rejects.toThrow(/write\(\) inside/);
				await put("outer")(db);
				return 1;
			});
		});
		vi.advanceTimersByTime(19_999);
		const third = store.write(put("third"));
		vi.advanceTimersByTime(1);
		await expect(third).rejects.toThrow(/has not ended for 20 s/);
		expect(await outer).toBe(1);
	} finally {
		vi.useRealTimers();
	}
	expect(await names()).toEqual(["outer"]);
	await store.write(put("first")).then(() => store.write(put("second")));
	expect(await names()).toEqual(["first", "outer", "second"]);
});

test("writes that wait while none is being made are never refused, however long a commit or a lock takes", async () => {
	await store.close();
	// The disk syncs at once. The clock advances while the next batches wait.
	store = openSqliteStore(path, { maxBatchMs: 0, syncFile: async () => {} });
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
	try {
		const writes = ["a", "b", "c"].map((name) =>
			store.write(put(name)).then(() => vi.advanceTimersByTime(60_000)),
		);
		await Promise.all(writes);
	} finally {
		vi.useRealTimers();
	}
	expect(await names()).toEqual(["a", "b", "c"]);
});

test("the reader sees a write only once it is committed", async () => {
	const seen = await store.write(async (db) => {
		await put("a")(db);
		const inside = await db.query.select().from(db.tables.setting);
		return [inside.length, (await names()).length];
	});
	expect(seen).toEqual([1, 0]);
	expect(await names()).toEqual(["a"]);
});

test("when a write is answered, another connection reads it", async () => {
	const other = new Sqlite(path, { readonly: true });
	const count = other.prepare("select count(*) from setting").pluck();
	for (let written = 1; written <= 5; written++) {
		await store.write(put(`${written}`));
		expect(count.get()).toBe(written);
	}
	other.close();
});

test("the database is WAL, synced around checkpoints, with foreign keys on", async () => {
	const pragma = (name: string) =>
		store.write(({ query }) => query.all(sql.raw(`pragma ${name}`)));
	expect(await pragma("journal_mode")).toEqual([["wal"]]);
	// NORMAL, because the store syncs commits itself (power-cut.test.ts).
	expect(await pragma("synchronous")).toEqual([[1]]);
	expect(await pragma("foreign_keys")).toEqual([[1]]);
});

test("close waits for the writes that were asked for", async () => {
	const writes = ["a", "b", "c"].map((name) => store.write(put(name)));
	await store.close();
	await expect(Promise.all(writes)).resolves.toHaveLength(3);
	store = openSqliteStore(path);
	expect(await names()).toEqual(["a", "b", "c"]);
});
