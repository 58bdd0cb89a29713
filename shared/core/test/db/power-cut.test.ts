import fs, {
	fstatSync,
	readFileSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { setImmediate as nextCallback } from "node:timers/promises";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { defineQuery } from "../../src/db/prepared.ts";
import { openSqliteStore, StorageError } from "../../src/index.ts";
import { namesIn, put } from "../support/settings.ts";
import { withFile } from "../support/with-file.ts";

const preparedNames = defineQuery(
	"setting_names",
	({ query, tables: { setting } }) =>
		query.select({ name: setting.name }).from(setting),
);

/** The error of a write that refuses because of the rows that it read. */
class Refusal extends Error {
	readonly names: readonly string[];
	constructor(names: readonly string[]) {
		super("not after all");
		this.names = names;
	}
}

const storedIn = (path: string) =>
	withFile(path, (file) => {
		// The copy is read once, so it needs no sync.
		file.pragma("synchronous = OFF");
		return file.prepare("select name from setting").pluck().all() as string[];
	});

/** drizzle wraps the errors of reads through its builder. */
const toStorageFault = (error: unknown) =>
	error instanceof StorageError ? error : (error as Error).cause;

/** Waits for everything that does not wait for the disk. */
const turn = async () => {
	for (let callback = 0; callback < 5; callback++) await nextCallback();
};

/** A disk that keeps the log as it was at the beginning of the last sync that has ended. */
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
	let kept: readonly Buffer[] = snapshot();
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
		/** The stored names if the power were cut now. */
		namesAfterPowerCut(): string[] {
			const rest = join(createTempFolder(), "rest.db");
			for (const [index, suffix] of ["", "-wal"].entries())
				writeFileSync(rest + suffix, kept[index] as Buffer);
			return storedIn(rest);
		},
	};
}

test("whatever was answered, to a write or to a read, is there after a power cut", async () => {
	const step = fc.constantFrom(
		...(["write", "refuse", "read", "readPrepared", "readSnapshot"] as const),
		...(["sync", "checkpoint"] as const),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			const disk = createDisk();
			const { store } = disk;
			const answered = new Set<string>();
			const tell = (names: readonly string[]) => {
				for (const name of names) answered.add(name);
			};
			const asked: Promise<unknown>[] = [];
			const act = {
				write: (name: string) =>
					store.write(put(name)).then(() => tell([name])),
				refuse: () =>
					store
						.write(async (db) => {
							const names = await namesIn(db);
							await put("never")(db);
							throw new Refusal(names);
						})
						.catch((error: Refusal) => tell(error.names)),
				read: () => namesIn(store.read).then(tell),
				readSnapshot: () => store.readSnapshot(namesIn).then(tell),
				readPrepared: () =>
					preparedNames(store.read, {}).then((rows) =>
						tell(rows.map(({ name }) => name)),
					),
				sync: async () => disk.endSync(),
				checkpoint: async () => {
					withFile(disk.path, (file) => file.pragma("wal_checkpoint(RESTART)"));
				},
			};
			for (const [index, name] of steps.entries()) {
				asked.push(act[name](`${index}`));
				await turn();
				const left = disk.namesAfterPowerCut();
				for (const answeredName of answered)
					expect(left).toContain(answeredName);
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
		{ numRuns: 40 },
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
	await ask(namesIn(store.read));
	disk.failSync(Object.assign(new Error("i/o error"), { code: "EIO" }));
	await ask(store.write(put("c")));
	await ask(namesIn(store.read));
	for (const outcome of await Promise.all(outcomes)) {
		expect(outcome).toBeInstanceOf(StorageError);
		expect(outcome).toMatchObject({
			code: "database_unconfirmed",
			message: expect.stringMatching(/^The disk did not confirm .*EIO.*\.$/),
		});
	}
	expect(disk.isSyncing).toBe(false);
	await store.close();
	expect(storedIn(path)).toEqual(["a", "b"]);
	const reopened = openSqliteStore(path);
	await reopened.write(put("d"));
	expect(await namesIn(reopened.read)).toEqual(["a", "b", "d"]);
	await reopened.close();
});

test("closing waits for the disk", async () => {
	const disk = createDisk();
	const first = disk.store.write(put("first"));
	await turn();
	let isClosed = false;
	const closing = disk.store.close().then(() => {
		isClosed = true;
	});
	await turn();
	const late = disk.store.write(put("late"));
	await turn();
	disk.endSync();
	await first;
	await turn();
	expect(isClosed).toBe(false);
	disk.endSync();
	await Promise.all([late, closing]);
	expect(disk.namesAfterPowerCut()).toEqual(["first", "late"]);
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

test("the log is synced by fdatasync, once for each commit", async () => {
	const fdatasync = vi.spyOn(fs, "fdatasync");
	syncBuiltinESMExports();
	try {
		const store = openSqliteStore(newDatabasePath());
		for (const name of ["a", "b"]) await store.write(put(name));
		expect(fdatasync).toHaveBeenCalledTimes(2);
		await store.close();
	} finally {
		fdatasync.mockRestore();
		syncBuiltinESMExports();
	}
});

test("a log that was left is copied back at the start, before anything is answered", async () => {
	const path = newDatabasePath();
	const store = openSqliteStore(path);
	await store.write(put("a"));
	const killed = newDatabasePath();
	for (const suffix of ["", "-wal"])
		writeFileSync(killed + suffix, readFileSync(path + suffix));
	await store.close();
	const restarted = openSqliteStore(killed);
	expect(statSync(`${killed}-wal`).size).toBe(0);
	expect(await namesIn(restarted.read)).toEqual(["a"]);
	await restarted.close();
});
