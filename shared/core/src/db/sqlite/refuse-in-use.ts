import type Sqlite from "better-sqlite3";
import { StorageError } from "../storage-error.ts";
import { openSqliteFile } from "./driver.ts";
import { isBusy } from "./faults.ts";

/** Throws a `StorageError` if another process has the SQLite database open, idle or not. */
export function refuseInUse(path: string): void {
	const raw = openSqliteFile(path, { fileMustExist: true, timeout: 0 });
	try {
		leaveWal(raw);
	} finally {
		raw.close();
	}
}

/**
 * Switches WAL mode off, which only the sole process that has the database open can do. Throws a `StorageError` in any
 * other. The next `openSqliteStore` turns it on again.
 */
export function leaveWal(raw: Sqlite.Database): void {
	try {
		raw.pragma("journal_mode = DELETE");
	} catch (error) {
		if (!isBusy(error)) throw error;
		throw openElsewhere(raw.name, error);
	}
}

export const openElsewhere = (path: string, cause?: unknown): StorageError =>
	new StorageError(
		"database_busy",
		`${path} is open in another process: stop every serve and worker first.`,
		cause,
	);
