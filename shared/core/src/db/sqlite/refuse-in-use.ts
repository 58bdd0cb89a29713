import { StorageError } from "../storage-error.ts";
import { openSqliteFile } from "./driver.ts";
import { isBusy } from "./faults.ts";

/**
 * Throws a `StorageError` if another process has the SQLite database open, idle or not: only the sole process can leave
 * WAL mode. The next `openSqliteStore` turns it on again.
 */
export function refuseInUse(path: string): void {
	const raw = openSqliteFile(path, { fileMustExist: true, timeout: 0 });
	try {
		raw.pragma("journal_mode = DELETE");
	} catch (error) {
		if (!isBusy(error)) throw error;
		throw new StorageError(
			"database_busy",
			`${path} is open in another process: stop every serve and worker first.`,
			error,
		);
	} finally {
		raw.close();
	}
}
