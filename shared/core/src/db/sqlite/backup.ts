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
import Sqlite from "better-sqlite3";
import { StorageError } from "../storage-error.ts";
import { checkDatabasePath } from "./check-path.ts";

/** Pages copied before others have their turn. */
const PAGES = 1000;

/** What SQLite keeps beside a database, and applies to whichever has the name. */
const COMPANIONS = ["-journal", "-wal", "-shm"];

/**
 * Copies a SQLite database while it is in use, into a file that is whole or not there, and that only its owner may read.
 * Throws a `StorageError` when the file exists already, or a companion of one that had its name, or either path cannot be.
 */
export async function backupSqlite(
	database: string,
	file: string,
	onProgress: (done: number, total: number) => void = () => {},
): Promise<void> {
	checkDatabasePath(file);
	if (existsSync(file)) throw existsAlready(file);
	refuseCompanions(file);
	// Nobody can have put a file or a link there before.
	const partial = `${file}.${randomUUID()}.partial`;
	const source = new Sqlite(database, { fileMustExist: true });
	try {
		createPrivate(partial);
		// One state of the database for the whole copy: each write of another process would else start it again.
		source.exec("BEGIN");
		source.prepare("SELECT count(*) FROM sqlite_schema").get();
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
		putInPlace(partial, file);
	} finally {
		source.close();
		for (const suffix of ["", ...COMPANIONS])
			rmSync(`${partial}${suffix}`, { force: true });
	}
}

const createPrivate = (path: string): void =>
	closeSync(openSync(path, "wx", 0o600));

/** A copy that is opened beside what another database has left is no longer what was copied. */
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

/** Gives the copy its name unless something has it, which a rename would replace. */
function putInPlace(partial: string, file: string): void {
	refuseCompanions(file);
	try {
		try {
			linkSync(partial, file);
		} catch (error) {
			if (codeOf(error) === "EEXIST") throw error;
			// A file system without hard links: the name is taken first, and then only ours is replaced.
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
