// The write-ahead log of SQLite becomes small again after another program's long read.

import { statSync } from "node:fs";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { openSqliteConnection } from "../../src/db/sqlite/connection.ts";
import { openSqliteStore } from "../../src/index.ts";
import { put } from "../support/settings.ts";

const MOST_BYTES = 33_554_432;

beforeEach(() => {
	vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});

/** A store whose log has grown to twice its limit, because another program reads. */
async function openGrown() {
	const path = newDatabasePath();
	const store = openSqliteStore(path);
	onTestFinished(() => store.close());
	const other = openSqliteConnection(path, { readonly: true });
	other.exec("BEGIN");
	const names = other.prepare("SELECT name FROM setting");
	expect(names.all()).toEqual([]);
	const putMany = async (from: number, count: number) => {
		for (let at = from; at < from + count; at++)
			await store.write(put(`${at}`, "x".repeat(2_000_000)));
	};
	await putMany(0, 34);
	const bytes = () => statSync(`${path}-wal`).size;
	expect(bytes()).toBeGreaterThan(2 * MOST_BYTES);
	return { store, other, names, bytes, putMany };
}

test("it becomes small again with the writes that come", async () => {
	const { other, bytes, putMany } = await openGrown();
	other.close();
	await putMany(34, 2);
	expect(bytes()).toBeLessThanOrEqual(MOST_BYTES);
});

test("it becomes small again without any, once nobody reads it, and nothing is lost", async () => {
	const { store, other, names, bytes } = await openGrown();
	vi.advanceTimersByTime(60_000);
	await store.write(put("between", ""));
	vi.advanceTimersByTime(60_000);
	expect(bytes()).toBeGreaterThan(2 * MOST_BYTES);
	expect(names.all()).toEqual([]);
	other.close();
	vi.advanceTimersByTime(60_000);
	expect(bytes()).toBe(0);
	await store.write(put("after", ""));
	const rows = await store.read.query.select().from(store.tables.setting);
	expect(rows).toHaveLength(34 + 2);
});
