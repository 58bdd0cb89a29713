import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "../storage-error.ts";

/** Throws a `StorageError` if no SQLite database can be at the path. */
export function checkDatabasePath(path: string): void {
	// better-sqlite3 trims the path, so that the key file would lie beside a file of another name.
	if (path !== path.trim()) {
		throw new StorageError(
			"database_unreadable",
			`The path ${JSON.stringify(path)} begins or ends with white space: leave that out.`,
		);
	}
	const folder = dirname(path);
	if (!existsSync(folder)) {
		throw new StorageError(
			"database_unreadable",
			`The folder ${folder} of the database does not exist.`,
		);
	}
	if (existsSync(path) && !statSync(path).isFile()) {
		throw new StorageError(
			"database_unreadable",
			`${path} is not a file, so it cannot be the database.`,
		);
	}
}
