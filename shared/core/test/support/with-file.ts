import Sqlite from "better-sqlite3";

/** Runs `work` on a separate connection to a database's file, which is closed afterwards. */
export function withFile<Result>(
	path: string,
	use: (file: Sqlite.Database) => Result,
): Result {
	const file = new Sqlite(path);
	try {
		return use(file);
	} finally {
		file.close();
	}
}
