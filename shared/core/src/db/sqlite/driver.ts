/** The only file that loads better-sqlite3, because its binary may be missing or built for another Node. */
import Sqlite from "better-sqlite3";
import { StorageError } from "../storage-error.ts";

/** Opens a SQLite file. Throws a `StorageError` that says what to run if better-sqlite3 is not built for this Node. */
export function openSqliteFile(
	path: string,
	options: Sqlite.Options = {},
): Sqlite.Database {
	try {
		return new Sqlite(path, options);
	} catch (error) {
		if (!isNotBuilt(error)) throw error;
		throw new StorageError(
			"driver_not_built",
			`better-sqlite3 is not built for Node ${process.version}: run \`npm rebuild better-sqlite3\` (pnpm: \`pnpm approve-builds\`); the database is not touched.`,
			error,
		);
	}
}

/** Throws as `openSqliteFile` does, for callers that write another file first. */
export function requireSqliteDriver(): void {
	openSqliteFile(":memory:").close();
}

/** Whether the binary cannot be loaded, or `bindings` found none and lists the paths that it tried. */
const isNotBuilt = (error: unknown): boolean =>
	error instanceof Error &&
	("tries" in error ||
		(error as NodeJS.ErrnoException).code === "ERR_DLOPEN_FAILED");
