import { existsSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { checkDatabasePath } from "./check-path.ts";
import { StorageError } from "./storage-error.ts";

/** Pages copied before others have their turn. */
const PAGES = 1000;

/**
 * Copies a SQLite database while it is in use, into a file that is whole or not there. Throws a `StorageError` when the
 * file exists already, or either path cannot be.
 */
export async function backupSqlite(
	database: string,
	file: string,
	onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
	checkDatabasePath(file);
	if (existsSync(file))
		throw new StorageError(
			"database_unreadable",
			`${file} exists already; a backup overwrites nothing.`,
		);
	const partial = `${file}.partial`;
	const source = new Sqlite(database, { fileMustExist: true });
	try {
		await source.backup(partial, {
			progress({ totalPages, remainingPages }) {
				onProgress(totalPages - remainingPages, totalPages);
				return PAGES;
			},
		});
		// The copy says that it is in WAL mode: as one file it is whole without the two beside it.
		const copy = new Sqlite(partial);
		copy.pragma("journal_mode = DELETE");
		const [check] = copy.pragma("quick_check") as [{ quick_check: string }];
		copy.close();
		if (check.quick_check !== "ok")
			throw new StorageError(
				"database_io",
				`The copy is not whole: ${check.quick_check}.`,
			);
		renameSync(partial, file);
	} finally {
		source.close();
		rmSync(partial, { force: true });
	}
}
