// The lock of a worker on SQLite: a file beside the database.
import {
	existsSync,
	readdirSync,
	renameSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTempFolder } from "#kit/temp-folder.ts";
import type { WorkerLock } from "../../src/db/db.ts";
import { openSqliteStore } from "../../src/index.ts";

const open = (path: string) => {
	const store = openSqliteStore(path);
	onTestFinished(() => store.close());
	return store;
};

function lockOn(path: string) {
	const faults: unknown[] = [];
	const lock = open(path).openWorkerLock({
		adopt: () => Promise.reject(new Error("nothing was lost")),
		onFault: (fault) => faults.push(fault),
	});
	onTestFinished(() => lock.close());
	return { lock, faults };
}

const lockFilesOf = (path: string) =>
	readdirSync(dirname(path)).filter((name) =>
		name.startsWith(`${basename(path)}-worker-`),
	);

/** Those of the numbers that the lock says are dead. */
async function deadAmong(
	lock: WorkerLock,
	ids: readonly (number | null)[],
): Promise<number[]> {
	const dead: number[] = [];
	await lock.releaseDead(
		ids.map((id) => id ?? 0),
		async (found) => {
			dead.push(...found);
		},
	);
	return dead;
}

test("a worker holds a private file beside the database while it lives, and removes it when it stops", async () => {
	const path = join(createTempFolder(), "test.db");
	const { lock } = lockOn(path);
	const [file, ...more] = lockFilesOf(path);
	expect(file).toBe(`test.db-worker-${lock.id}`);
	expect(more).toEqual([]);
	expect(
		statSync(join(dirname(path), String(file))).mode & 0o777,
		"only its owner may read it",
	).toBe(0o600);
	const { lock: other } = lockOn(path);
	expect(other.id).not.toBe(lock.id);
	expect(await deadAmong(other, [lock.id])).toEqual([]);
	await lock.close();
	await other.close();
	expect(readdirSync(dirname(path)).sort()).toEqual([
		"test.db",
		"test.db-shm",
		"test.db-wal",
	]);
});

test("files of dead workers are removed once their claims are released, also of those without claims", async () => {
	const path = join(createTempFolder(), "test.db");
	for (const id of [11, 12]) writeFileSync(`${path}-worker-${id}`, "");
	const { lock } = lockOn(path);
	writeFileSync(`${path}-worker-13`, "");
	const failed = lock.releaseDead([13], () => {
		expect(existsSync(`${path}-worker-13`)).toBe(true);
		return Promise.reject(new Error("the disk is full"));
	});
	await expect(failed).rejects.toThrow("the disk is full");
	expect(await deadAmong(lock, [13])).toContain(13);
	for (const name of ["nonsense", "11.txt"])
		writeFileSync(`${path}-worker-${name}`, "");
	const { lock: next } = lockOn(path);
	expect((await deadAmong(next, [])).sort()).toEqual([11, 12]);
	expect(lockFilesOf(path).sort()).toEqual(
		[lock.id, next.id, "nonsense", "11.txt"]
			.map((end) => `test.db-worker-${end}`)
			.sort(),
	);
});

test("without its file a worker is not taken for dead: its leases decide", async () => {
	const path = join(createTempFolder(), "test.db");
	const { lock } = lockOn(path);
	expect(await deadAmong(lock, [21])).toEqual([]);
});

test("two paths to one database lead to the same locks", async () => {
	const folder = createTempFolder();
	const path = join(folder, "test.db");
	const { lock } = lockOn(path);
	symlinkSync(path, join(folder, "link.db"));
	const { lock: other } = lockOn(join(folder, "link.db"));
	writeFileSync(`${path}-worker-31`, "");
	expect(await deadAmong(other, [lock.id, 31])).toEqual([31]);
	expect(lockFilesOf(path)).toHaveLength(2);
});

test("a folder that is moved while a worker runs takes its lock along", async () => {
	const folder = createTempFolder();
	const before = join(folder, "before");
	const after = join(folder, "after");
	const path = join(createTempFolder(), "made.db");
	open(path);
	renameSync(dirname(path), before);
	const { lock } = lockOn(join(before, "made.db"));
	renameSync(before, after);
	const moved = join(after, "made.db");
	writeFileSync(`${moved}-worker-41`, "");
	const { lock: other } = lockOn(moved);
	expect(await deadAmong(other, [lock.id, 41])).toEqual([41]);
});

test("where no file can be locked there is one fault that says what to do, and nobody is taken for dead", async () => {
	// A file name has at most 255 bytes: the database's fits, the lock's does not.
	const path = join(createTempFolder(), `${"a".repeat(240)}.db`);
	const { lock, faults } = lockOn(path);
	expect(lock.id).toBe(null);
	expect(faults).toEqual([
		expect.objectContaining({
			code: "database_io",
			message: expect.stringMatching(
				/can be locked \(ENAMETOOLONG\).*waits for its lease/,
			),
		}),
	]);
	expect(await deadAmong(lock, [51])).toEqual([]);
	expect(faults).toHaveLength(1);
});
