import {
	fstatSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as nextCallback } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import fc from "fast-check";
import { expect, test } from "vitest";
import { insertRow } from "../src/db/insert-row.ts";
import {
	type Db,
	openSqliteStore,
	StorageError,
	type Store,
} from "../src/index.ts";
import { newDatabasePath } from "./support/open-core.ts";
import { createTempFolder } from "./support/temp-folder.ts";

const put = (name: string) => (db: Db) =>
	insertRow(db, "setting", { name, value: "x" });

const namesIn = async (store: Store) => {
	const rows = await store.read.query.select().from(store.tables.setting);
	return rows.map(({ name }) => name);
};

const storedIn = (path: string): string[] => {
	const file = new Sqlite(path);
	try {
		return file.prepare("select name from setting").pluck().all() as string[];
	} finally {
		file.close();
	}
};

/** drizzle wraps the errors of what is read through its builder. */
const toStorageFault = (error: unknown) =>
	error instanceof StorageError ? error : (error as Error).cause;

/** Time for everything that needs no disk. */
const turn = async () => {
	for (let callback = 0; callback < 5; callback++) await nextCallback();
};

/** A disk that keeps of the log what it held when the last sync that has ended began. */
function createDisk() {
	const path = newDatabasePath();
	const snapshot = () =>
		["", "-wal"].map((suffix) => readFileSync(path + suffix));
	const running: { files: Buffer[]; end: (error?: Error) => void }[] = [];
	let syncs = 0;
	const store = openSqliteStore(path, {
		syncFile: () =>
			new Promise((resolve, reject) => {
				syncs++;
				running.push({
					files: snapshot(),
					end: (error) => (error ? reject(error) : resolve()),
				});
			}),
	});
	let kept = snapshot();
	return {
		path,
		store,
		get syncs() {
			return syncs;
		},
		get isSyncing() {
			return running.length > 0;
		},
		endSync(): void {
			const ended = running.shift();
			if (ended) kept = ended.files;
			ended?.end();
		},
		failSync: (error: Error) => running.shift()?.end(error),
		/** What is stored after the power was cut now. */
		namesAfterPowerCut(): string[] {
			const rest = join(createTempFolder(), "rest.db");
			for (const [index, suffix] of ["", "-wal"].entries())
				writeFileSync(rest + suffix, kept[index] as Buffer);
			return storedIn(rest);
		},
	};
}

test("whatever was answered, to a write or to a read, is there after a power cut", async () => {
	const step = fc.constantFrom("write", "fail", "read", "sync");
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			const disk = createDisk();
			const { store } = disk;
			const answered = new Set<string>();
			const asked: Promise<unknown>[] = [];
			const act = {
				write(name: string) {
					return store.write(put(name)).then(() => answered.add(name));
				},
				fail: () =>
					store
						.write(async (db) => {
							await put("never")(db);
							throw new TypeError("not after all");
						})
						.catch(() => {}),
				async read() {
					for (const name of await namesIn(store)) answered.add(name);
				},
				sync: async () => disk.endSync(),
			};
			for (const [index, name] of steps.entries()) {
				asked.push(act[name](`${index}`));
				await turn();
				const left = disk.namesAfterPowerCut();
				for (const one of answered) expect(left).toContain(one);
			}
			while (disk.isSyncing) {
				disk.endSync();
				await turn();
			}
			await Promise.all(asked);
			const writes = steps.flatMap((name, index) =>
				name === "write" ? [`${index}`] : [],
			);
			expect(disk.namesAfterPowerCut().sort()).toEqual(writes.sort());
			await store.close();
		}),
		{ numRuns: 25 },
	);
}, 60_000);

test("commits that are made while the disk syncs share the next sync", async () => {
	const disk = createDisk();
	const writes: Promise<unknown>[] = [];
	for (const name of ["a", "b", "c", "d"]) {
		writes.push(disk.store.write(put(name)));
		await turn();
		expect(storedIn(disk.path)).toContain(name);
	}
	expect(disk.syncs).toBe(1);
	disk.endSync();
	await writes[0];
	await turn();
	expect(disk.syncs).toBe(2);
	disk.endSync();
	await Promise.all(writes);
	await turn();
	expect(disk.isSyncing).toBe(false);
	await disk.store.close();
});

test("what a disk does not confirm is answered with an error, and nothing is written or read until a new start", async () => {
	const disk = createDisk();
	const { store, path } = disk;
	const outcomes: Promise<unknown>[] = [];
	const ask = (asked: Promise<unknown>) => {
		outcomes.push(asked.catch(toStorageFault));
		return turn();
	};
	await ask(store.write(put("a")));
	await ask(store.write(put("b")));
	await ask(namesIn(store));
	disk.failSync(Object.assign(new Error("i/o error"), { code: "EIO" }));
	await ask(store.write(put("c")));
	await ask(namesIn(store));
	for (const outcome of await Promise.all(outcomes)) {
		expect(outcome).toBeInstanceOf(StorageError);
		expect(outcome).toMatchObject({
			code: "database_io",
			message: expect.stringMatching(/^The disk did not confirm .*EIO.*\.$/),
		});
	}
	expect(disk.isSyncing).toBe(false);
	await store.close();
	expect(storedIn(path)).toEqual(["a", "b"]);
	const again = openSqliteStore(path);
	await again.write(put("d"));
	expect(await namesIn(again)).toEqual(["a", "b", "d"]);
	await again.close();
});

test("closing waits for the disk", async () => {
	const disk = createDisk();
	const write = disk.store.write(put("a"));
	await turn();
	let isClosed = false;
	const closing = disk.store.close().then(() => {
		isClosed = true;
	});
	await turn();
	expect(isClosed).toBe(false);
	disk.endSync();
	await Promise.all([write, closing]);
	expect(disk.namesAfterPowerCut()).toEqual(["a"]);
});

test("what is synced is the log, however the path leads to the file", async () => {
	const path = newDatabasePath();
	await openSqliteStore(path).close();
	const link = join(createTempFolder(), "link.db");
	symlinkSync(path, link);
	for (const way of [path, link]) {
		const synced: number[] = [];
		const store = openSqliteStore(way, {
			syncFile: async (descriptor) => {
				synced.push(fstatSync(descriptor).ino);
			},
		});
		await store.write(put(way));
		expect(synced).toEqual([statSync(`${path}-wal`).ino]);
		await store.close();
	}
	expect(storedIn(path).sort()).toEqual([link, path].sort());
});
