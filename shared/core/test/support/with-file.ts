import Sqlite from "better-sqlite3";

/** Looks at a database's file through a connection of its own, which is closed afterwards. */
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
