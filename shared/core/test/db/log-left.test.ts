import fs, {
	copyFileSync,
	fstatSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { newDatabasePath } from "#kit/database/open-core.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { openSqliteStore, StorageError } from "../../src/index.ts";
import { namesIn, put } from "../support/settings.ts";
import { withFile } from "../support/with-file.ts";

/** The files of a process that was killed. Its writes are in its log. */
async function leaveLog(): Promise<string> {
	const path = newDatabasePath();
	const store = openSqliteStore(path);
	await store.write(put("left"));
	const killed = newDatabasePath();
	for (const suffix of ["", "-wal"])
		copyFileSync(path + suffix, killed + suffix);
	await store.close();
	return killed;
}

/** Reasons why a start cannot checkpoint the log. Each answers a function that ends the hindrance. */
const HINDRANCES: Record<string, (path: string) => () => void> = {
	"another program reads": (path) => {
		const other = new Sqlite(path);
		other.exec("begin; select * from setting");
		return () => other.close();
	},
	"the disk is full": () => {
		const { pragma } = Sqlite.prototype;
		const spy = vi
			.spyOn(Sqlite.prototype, "pragma")
			.mockImplementation(function (this: Sqlite.Database, source, options) {
				if (source.startsWith("wal_checkpoint"))
					throw new Sqlite.SqliteError("full", "SQLITE_FULL");
				return pragma.call(this, source, options);
			});
		return () => spy.mockRestore();
	},
};
const names = Object.keys(HINDRANCES);
const hinder = (name: string, path: string) =>
	onTestFinished(HINDRANCES[name]?.(path) as () => void);

/** A disk that lost the log of the killed process. A sync stores only the parts of it that were written again. */
function watchDisk(path: string) {
	const log = `${path}-wal`;
	let kept: Buffer = Buffer.alloc(statSync(log).size);
	const dirty: [from: number, to: number][] = [];
	const { writeSync } = fs;
	fs.writeSync = ((file: number, block: Buffer, ...at: number[]) => {
		const [offset, length, position = 0] = at;
		const written = writeSync(file, block, offset, length, position);
		if (fstatSync(file).ino === statSync(log).ino)
			dirty.push([position, position + written]);
		return written;
	}) as typeof writeSync;
	syncBuiltinESMExports();
	onTestFinished(() => {
		fs.writeSync = writeSync;
		syncBuiltinESMExports();
	});
	return {
		async sync() {
			const now = readFileSync(log);
			for (const [from, to] of dirty) now.copy(kept, from, from, to);
			kept = Buffer.concat([kept, now.subarray(kept.length)]);
		},
		namesAfterPowerCut(): unknown[] {
			const rest = join(createTempFolder(), "rest.db");
			copyFileSync(path, rest);
			writeFileSync(`${rest}-wal`, kept);
			return withFile(rest, (file) =>
				file.prepare("select name from setting order by name").pluck().all(),
			);
		},
	};
}

test.each(names)(
	"what is written behind a log that was left survives a power cut where %s",
	async (hindrance) => {
		const path = await leaveLog();
		hinder(hindrance, path);
		const disk = watchDisk(path);
		const store = openSqliteStore(path, { syncFile: disk.sync });
		expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
		for (const name of ["new", "newer"]) {
			await store.write(put(name));
			expect(disk.namesAfterPowerCut()).toContain(name);
		}
		expect(disk.namesAfterPowerCut()).toEqual(["left", "new", "newer"]);
		await store.close();
	},
);

const FAULTS = [
	["ENOSPC", "database_full"],
	["EDQUOT", "database_full"],
	["EIO", "database_io"],
].flatMap((fault) => names.map((name) => [...fault, name]));

test.each(FAULTS)(
	"while the disk does not take what was left (%s) writes are refused as %s, and reads go on, where %s",
	async (errno, code, hindrance) => {
		const path = await leaveLog();
		hinder(hindrance as string, path);
		let isBroken = true;
		const store = openSqliteStore(path, {
			syncFile: async () => {
				if (isBroken) throw Object.assign(new Error("no"), { code: errno });
			},
		});
		for (const name of ["one", "other"]) {
			const refused = store.write(put(name));
			await expect(refused).rejects.toBeInstanceOf(StorageError);
			await expect(refused).rejects.toMatchObject({
				code,
				message: expect.stringMatching(
					`^The disk does not take .*${errno}.*\\.$`,
				),
			});
			expect(await namesIn(store.read)).toEqual(["left"]);
			// A start does this when it checks the encryption key.
			expect(await store.write(namesIn)).toEqual(["left"]);
		}
		isBroken = false;
		await store.write(put("new"));
		expect(await namesIn(store.read)).toEqual(["left", "new"]);
		await store.close();
	},
);
