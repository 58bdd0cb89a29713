import type Sqlite from "better-sqlite3";
import type { Random } from "../../values/random.ts";
import type { Store } from "../db.ts";
import { sqliteDialect } from "../dialect.ts";
import { StorageError } from "../storage-error.ts";
import { checkDatabasePath } from "./check-path.ts";
import { createSqliteDb, openSqliteConnection } from "./connection.ts";
import { sqliteCodeOf, toStorageError } from "./faults.ts";
import { createGroupCommit } from "./group-commit.ts";
import { openLogSync, type SyncFile } from "./log-sync.ts";
import { migrateSqlite, refuseForeign } from "./migrate.ts";
import { tables } from "./schema.ts";

export interface SqliteStoreOptions {
	/** Called with the number of writes of each committed batch. */
	onBatch?: (writes: number) => void;
	/** The longest that a batch may take. */
	maxBatchMs?: number;
	/** The most pages that the file may have; a test's way to a full disk. */
	maxPages?: number;
	/** Where ids and secrets come from; by default the system. */
	random?: Random | undefined;
	/** How the log is written through to the disk; a test's way to a slow or broken disk. */
	syncFile?: SyncFile;
}

const OPEN_WAIT_MS = 10_000;
const MAX_BATCH_MS = 20;

/**
 * Opens the database file, creates it if it is not there, and brings it up to this version. In WAL mode, and what is answered
 * survives a power cut, as with `synchronous=FULL`: also what was only read. Throws a `StorageError` of one sentence.
 */
export function openSqliteStore(
	path: string,
	options: SqliteStoreOptions = {},
): Store {
	checkDatabasePath(path);
	const opened: { close(): void }[] = [];
	const keep = <Handle extends { close(): void }>(handle: Handle): Handle => {
		opened.push(handle);
		return handle;
	};
	const closeAll = () => {
		for (let last = opened.pop(); last; last = opened.pop()) last.close();
	};
	try {
		const writer = keep(openSqliteConnection(path));
		prepareFile(writer, path, options);
		// Closed before the connection that removes the log: Windows removes no open file.
		const log = keep(openLogSync(toRealPath(writer), options.syncFile));
		const reader = keep(openSqliteConnection(path, { readonly: true }));
		const fault: { current: StorageError | undefined } = { current: undefined };
		const { random } = options;
		const db = createSqliteDb(writer, {
			random,
			onFault(error) {
				fault.current ??= toStorageError(error);
			},
		});
		const commits = createGroupCommit(writer, db, log, fault, {
			onBatch: options.onBatch ?? (() => {}),
			maxBatchMs: options.maxBatchMs ?? MAX_BATCH_MS,
		});
		const listeners = new Set<() => void>();
		return {
			dialect: sqliteDialect,
			tables,
			read: createSqliteDb(reader, { random, durable: log.pending }),
			readUnsynced: createSqliteDb(reader, { random }),
			write: commits.write,
			wake: () => {
				for (const listener of listeners) listener();
			},
			onWake: (listener) => {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
			async close() {
				await commits.drain();
				closeAll();
			},
		};
	} catch (error) {
		const told = toOpenError(path, error);
		closeAll();
		throw told;
	}
}

/** Brings the file up to this version, all of it on the disk. */
function prepareFile(
	raw: Sqlite.Database,
	path: string,
	{ maxPages }: SqliteStoreOptions,
): void {
	// Another process that opens or closes the file at this moment locks it for an instant.
	raw.pragma(`busy_timeout = ${OPEN_WAIT_MS}`);
	refuseForeign(raw);
	if (raw.pragma("journal_mode = WAL", { simple: true }) !== "wal")
		throw new StorageError(
			"database_unreadable",
			`${path} lies where SQLite cannot keep a log (WAL), which needs shared memory.`,
		);
	raw.pragma("synchronous = FULL");
	// Eight times the default: pages that every commit changes are copied back less often, for a log of 32 MB.
	raw.pragma("wal_autocheckpoint = 8000");
	// The undo journal of a savepoint would be a temporary file, written for each statement with RETURNING.
	raw.pragma("temp_store = MEMORY");
	migrateSqlite(raw);
	copyLogBack(raw);
	// From here on the log is synced beside the event loop.
	raw.pragma("synchronous = NORMAL");
	if (maxPages) raw.pragma(`max_page_count = ${maxPages}`);
}

/**
 * Of a log that the last process left, a part may be in memory only, if that one's last sync failed; in the file it is synced
 * anew. While another program reads, what it does not need yet is copied. A full disk still lets what is there be read. What
 * is not copied is made sure before the first commit (`LogSync.rewrite`).
 */
function copyLogBack(raw: Sqlite.Database): void {
	try {
		raw.pragma("wal_checkpoint(TRUNCATE)");
	} catch (error) {
		if (sqliteCodeOf(error) !== "SQLITE_FULL") throw error;
	}
}

/** The file itself, beside which its log lies, however the path leads there. */
const toRealPath = (raw: Sqlite.Database): string =>
	raw
		.prepare("select file from pragma_database_list where name = 'main'")
		.pluck()
		.get() as string;

function toOpenError(path: string, error: unknown): unknown {
	if (error instanceof StorageError) return error;
	const code = sqliteCodeOf(error);
	if (code === "SQLITE_NOTADB") {
		return new StorageError(
			"database_unreadable",
			`${path} is not a SQLite database.`,
			error,
		);
	}
	if (code?.startsWith("SQLITE_READONLY")) {
		return new StorageError(
			"database_unreadable",
			`${path} can be read but not written.`,
			error,
		);
	}
	if (code === "SQLITE_BUSY") {
		return new StorageError(
			"database_busy",
			`${path} is locked by another program.`,
			error,
		);
	}
	const errno = (error as NodeJS.ErrnoException).code;
	if (code ?? errno) {
		return new StorageError(
			"database_unreadable",
			`The database ${path} cannot be opened (${code ?? errno}).`,
			error,
		);
	}
	return error;
}
