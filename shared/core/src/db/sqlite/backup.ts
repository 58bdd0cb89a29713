import { existsSync, lstatSync, rmSync } from "node:fs";
import { StorageError } from "../storage-error.ts";
import { checkDatabasePath } from "./check-path.ts";
import { openSqliteFile } from "./driver.ts";
import {
	codeOf,
	createPrivateFile,
	giveName,
	toPartialName,
} from "./private-file.ts";

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
	const partial = toPartialName(file);
	const source = openSqliteFile(database, { fileMustExist: true });
	try {
		createPartial(partial, file);
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

function createPartial(partial: string, file: string): void {
	try {
		createPrivateFile(partial);
	} catch (error) {
		throw new StorageError(
			"database_unreadable",
			`The copy ${file} cannot be written (${codeOf(error)}): choose a folder that can be written to.`,
			error,
		);
	}
}

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

function putInPlace(partial: string, file: string): void {
	refuseCompanions(file);
	try {
		giveName(partial, file);
	} catch (error) {
		throw codeOf(error) === "EEXIST" ? existsAlready(file) : error;
	}
}

const existsAlready = (file: string): StorageError =>
	new StorageError(
		"database_unreadable",
		`${file} exists already; a backup overwrites nothing.`,
	);
