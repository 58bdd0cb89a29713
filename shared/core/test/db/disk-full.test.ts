import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { type Db, openSqliteStore, StorageError } from "../../src/index.ts";
import { put } from "../support/settings.ts";

const putBytes = (name: string, bytes: number) => put(name, "x".repeat(bytes));

/** A store whose file may grow by only a few pages. */
async function openNearlyFull() {
	const path = newDatabasePath();
	await openSqliteStore(path).close();
	const file = new Sqlite(path);
	const pages = file.pragma("page_count", { simple: true }) as number;
	file.close();
	return openSqliteStore(path, { maxPages: pages + 8 });
}

const huge = putBytes("huge", 1_000_000);
const BATCHES: [what: string, writes: ((db: Db) => Promise<void>)[]][] = [
	["of several writes", [putBytes("small", 10), huge]],
	["of one", [huge]],
	[
		"of one that tells of something else",
		[
			(db) =>
				huge(db).catch(() => {
					throw new TypeError("not stored");
				}),
		],
	],
];

test.each(BATCHES)(
	"a full disk fails every caller of a batch %s, stores nothing, and leaves the store usable",
	async (_what, writes) => {
		const store = await openNearlyFull();
		const names = async () => {
			const rows = await store.read.query.select().from(store.tables.setting);
			return rows.map(({ name }) => name);
		};
		await store.write(putBytes("before", 10));
		const outcomes = await Promise.allSettled(
			writes.map((write) => store.write(write)),
		);
		for (const outcome of outcomes) {
			const { reason } = outcome as PromiseRejectedResult;
			expect(reason).toBeInstanceOf(StorageError);
			expect(reason.code).toBe("database_full");
			expect(reason.message).toMatch(/^[^\n]*disk is full[^\n]*\.$/);
		}
		expect(await names()).toEqual(["before"]);
		await store.write(putBytes("after", 10));
		expect(await names()).toEqual(["before", "after"]);
		await store.close();
	},
);

test("on a disk that fills up, exactly the answered writes are stored", async () => {
	const store = await openNearlyFull();
	const outcomes = await Promise.allSettled(
		Array.from({ length: 64 }, (_, n) => store.write(putBytes(`${n}`, 4000))),
	);
	const failed = outcomes.filter(({ status }) => status === "rejected");
	expect(failed.length).toBeGreaterThan(0);
	for (const { reason } of failed as PromiseRejectedResult[])
		expect(reason).toMatchObject({ code: "database_full" });
	const stored = await store.read.query.select().from(store.tables.setting);
	expect(stored).toHaveLength(64 - failed.length);
	await store.close();
});
