import { randomUUID } from "node:crypto";
import {
	closeSync,
	existsSync,
	linkSync,
	lstatSync,
	openSync,
	renameSync,
	rmSync,
} from "node:fs";
import { StorageError } from "../storage-error.ts";
import { checkDatabasePath } from "./check-path.ts";
import { openSqliteFile } from "./driver.ts";

/** Pages copied before the event loop serves others. */
const PAGES = 1000;

/** Files that SQLite keeps beside a database. It applies them to any database of that name. */
const COMPANIONS = ["-journal", "-wal", "-shm"];

/**
 * Copies a SQLite database while it is in use. The file is complete or does not exist, and only its owner may read it.
 * Throws a `StorageError` if the file or a companion file exists already, or if a path is impossible.
 */
export async function backupSqlite(
	database: string,
	file: string,
	onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
	checkDatabasePath(file);
	if (existsSync(file)) throw existsAlready(file);
	refuseCompanions(file);
	// A random name: nobody can have placed a file or a link there.
	const partial = `${file}.${randomUUID()}.partial`;
	const source = openSqliteFile(database, { fileMustExist: true });
	try {
		createPrivate(partial);
		// A transaction keeps one state of the database for the whole copy. Without it, each write of another process would
		// restart the copy.
		source.exec("BEGIN");
		source.prepare("SELECT count(*) FROM sqlite_schema").get();
		await source.backup(partial, {
			progress({ totalPages, remainingPages }) {
				onProgress(totalPages - remainingPages, totalPages);
				return PAGES;
			},
		});
		// The copy is marked as WAL, which uses files beside it. In DELETE mode it is complete as a single file.
		const copy = openSqliteFile(partial);
		copy.pragma("journal_mode = DELETE");
		const [check] = copy.pragma("quick_check") as [{ quick_check: string }];
		copy.close();
		if (check.quick_check !== "ok")
			throw new StorageError(
				"database_io",
				`The copy is not whole: ${check.quick_check}.`,
			);
		putInPlace(partial, file);
	} finally {
		source.close();
		for (const suffix of ["", ...COMPANIONS])
			rmSync(`${partial}${suffix}`, { force: true });
	}
}

const createPrivate = (path: string): void =>
	closeSync(openSync(path, "wx", 0o600));

/** SQLite would apply these files of another database to the copy. */
function refuseCompanions(file: string): void {
	const left = COMPANIONS.map((suffix) => `${file}${suffix}`).find((path) =>
		lstatSync(path, { throwIfNoEntry: false }),
	);
	if (left)
		throw new StorageError(
			"database_unreadable",
			`${left} exists, which SQLite would apply to the copy: remove it, or give the copy another name.`,
		);
}

/** Gives the copy its name unless a file has it, which a rename would replace. */
function putInPlace(partial: string, file: string): void {
	refuseCompanions(file);
	try {
		try {
			linkSync(partial, file);
		} catch (error) {
			if (codeOf(error) === "EEXIST") throw error;
			// Without hard links: the name is taken first, and the rename then replaces only our own file.
			createPrivate(file);
			renameSync(partial, file);
		}
	} catch (error) {
		throw codeOf(error) === "EEXIST" ? existsAlready(file) : error;
	}
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

const existsAlready = (file: string): StorageError =>
	new StorageError(
		"database_unreadable",
		`${file} exists already; a backup overwrites nothing.`,
	);
