// A worker's lock on SQLite: an exclusive transaction on an empty file beside the database. The operating system ends it
// with the process, in any container on the volume, so nothing is guessed from process ids or times.
import { randomInt } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import type Sqlite from "better-sqlite3";
import type { WorkerLock, WorkerLockOptions } from "../db.ts";
import { StorageError } from "../storage-error.ts";
import { openSqliteFile } from "./driver.ts";
import { isBusy, sqliteCodeOf } from "./faults.ts";
import { codeOf, createPrivateFile } from "./private-file.ts";

const SUFFIX = "-worker-";
const MAX_ID = 2 ** 48 - 1;

interface Held {
	readonly id: number;
	readonly path: string;
	readonly raw: Sqlite.Database;
}

/** `database` is the real path of the file, whatever path leads there. */
export function openSqliteWorkerLock(
	database: string,
	{ onFault }: Pick<WorkerLockOptions, "onFault">,
): WorkerLock {
	const toPath = (id: number) => database + SUFFIX + id;
	let own: Held | undefined;
	/** The numbers of workers that were here before. Those that died without claims are found only by their files. */
	let earlier: number[] = [];
	try {
		earlier = findIds(database);
		own = takeNew(toPath);
	} catch (error) {
		const code = String(sqliteCodeOf(error) ?? codeOf(error));
		onFault(
			new StorageError(
				"database_io",
				`No file beside ${database} can be locked (${code}): if this worker is killed, what it has claimed waits for its lease. Put the database on a local disk, in a folder that can be written.`,
				error,
			),
		);
	}
	return {
		id: own?.id ?? null,
		ready: Promise.resolve(),
		async releaseDead(ids, release) {
			for (const id of new Set([...ids, ...earlier.splice(0)])) {
				const path = toPath(id);
				// Without its file nobody knows whether the worker lives, so its leases decide.
				const raw = own && existsSync(path) ? tryLock(path) : undefined;
				if (!raw) continue;
				try {
					await release([id]);
				} finally {
					raw.close();
				}
				removeIfPossible(path);
			}
		},
		async close() {
			if (!own) return;
			own.raw.close();
			removeIfPossible(own.path);
		},
	};
}

function findIds(database: string): number[] {
	const prefix = basename(database) + SUFFIX;
	return readdirSync(dirname(database))
		.filter((name) => name.startsWith(prefix))
		.map((name) => Number(name.slice(prefix.length)))
		.filter(Number.isSafeInteger);
}

function takeNew(toPath: (id: number) => string): Held {
	for (;;) {
		const id = randomInt(1, MAX_ID);
		const path = toPath(id);
		createPrivateFile(path);
		try {
			const raw = lock(path);
			// A worker that starts at this moment may have found the file before it was locked, and removed it.
			if (existsSync(path)) return { id, path, raw };
			raw.close();
		} catch (error) {
			removeIfPossible(path);
			if (!isBusy(error)) throw error;
		}
	}
}

/** A file that stays is removed by a later worker. Windows removes none that another process has open. */
function removeIfPossible(path: string): void {
	try {
		rmSync(path, { force: true });
	} catch {}
}

function lock(path: string): Sqlite.Database {
	const raw = openSqliteFile(path, { fileMustExist: true, timeout: 0 });
	try {
		// Otherwise a journal lies beside the file.
		raw.pragma("journal_mode = MEMORY");
		raw.exec("BEGIN EXCLUSIVE");
		return raw;
	} catch (error) {
		raw.close();
		throw error;
	}
}

/** Locks the file of a dead worker. A file that cannot be locked, for whatever reason, tells nothing about its worker. */
function tryLock(path: string): Sqlite.Database | undefined {
	try {
		return lock(path);
	} catch {
		return undefined;
	}
}
