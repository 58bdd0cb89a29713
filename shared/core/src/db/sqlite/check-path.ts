import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { StorageError } from "../storage-error.ts";

const refuse = (message: string): never => {
	throw new StorageError("database_unreadable", message);
};

/** Throws a `StorageError` if no SQLite database can be at the path. */
export function checkDatabasePath(path: string): void {
	// better-sqlite3 trims the path, so that the key file would lie beside a file of another name.
	if (path !== path.trim())
		refuse(
			`The path ${JSON.stringify(path)} begins or ends with white space: leave that out.`,
		);
	// A URL may hold a password, so it is not repeated.
	if (path.includes("://"))
		refuse(
			"The database must be the path of a file, or a postgres:// URL: other URLs are not known.",
		);
	const folder = dirname(path);
	if (!existsSync(folder))
		refuse(`The folder ${folder} of the database does not exist.`);
	if (existsSync(path) && !statSync(path).isFile())
		refuse(`${path} is not a file, so it cannot be the database.`);
}

/** Whether a database is still to be made at the path: SQLite takes an empty file for a new one. */
export const isNewDatabase = (path: string): boolean =>
	(statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;

const HEADER = "SQLite format 3\0";

/** Throws a `StorageError` if the file begins otherwise than a SQLite database. */
export function checkFormat(path: string): void {
	const begin = Buffer.alloc(HEADER.length);
	const file = openSync(path, "r");
	try {
		readSync(file, begin);
	} finally {
		closeSync(file);
	}
	if (begin.toString("latin1") !== HEADER)
		refuse(`${path} is not a SQLite database.`);
}
