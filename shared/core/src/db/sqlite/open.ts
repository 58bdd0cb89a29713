import type Sqlite from "better-sqlite3";
import type { Random } from "../../values/random.ts";
import type { Store } from "../db.ts";
import { sqliteDialect } from "../dialect.ts";
import { StorageError } from "../storage-error.ts";
import { checkDatabasePath } from "./check-path.ts";
import { createSqliteDb, openSqliteConnection } from "./connection.ts";
import { sqliteCodeOf, toStorageError } from "./faults.ts";
import { createGroupCommit } from "./group-commit.ts";
import { limitLog } from "./limit-log.ts";
import { openLogSync, type SyncFile } from "./log-sync.ts";
import { migrateSqlite, refuseForeign } from "./migrate.ts";
import { codeOf, createIfMissing, isDiskFull } from "./private-file.ts";
import { tables } from "./schema.ts";
import { createSnapshots } from "./snapshots.ts";
import { openSqliteWorkerLock } from "./worker-lock.ts";

export interface SqliteStoreOptions {
	/** Called with the number of writes of each committed batch. */
	onBatch?: (writes: number) => void;
	/** The longest that a batch may take. */
	maxBatchMs?: number;
	/** The most pages that the file may have; tests use it to fill the disk. */
	maxPages?: number;
	/** The source of ids and secrets; by default the system. */
	random?: Random | undefined;
	/** Syncs the log to the disk; tests use it for a slow or broken disk. */
	syncFile?: SyncFile;
}

const OPEN_WAIT_MS = 10_000;
const MAX_BATCH_MS = 20;

/**
 * Opens the database file, creates it if necessary, and migrates it to this version. It is in WAL mode, and everything
 * returned survives a power cut, reads included, as with `synchronous=FULL`. Throws a `StorageError` of one sentence.
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
		// Only its owner may read a new database. SQLite gives its log the same mode.
		createIfMissing(path);
		const writer = keep(openSqliteConnection(path));
		prepareFile(writer, path, options);
		// Closed before the connection that removes the log: Windows cannot remove an open file.
		const realPath = toRealPath(writer);
		const log = keep(openLogSync(realPath, options.syncFile));
		keep(limitLog(writer, log));
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
			readSnapshot: createSnapshots(
				() => keep(openSqliteConnection(path, { readonly: true })),
				{ random, durable: log.pending },
			),
			replica: null,
			write: commits.write,
			wake: () => {
				for (const listener of listeners) listener();
			},
			onWake: (listener) => {
				listeners.add(listener);
				return () => listeners.delete(listener);
			},
			openWorkerLock: (options) => openSqliteWorkerLock(realPath, options),
			async close() {
				await commits.drain();
				closeAll();
			},
		};
	} catch (error) {
		const openError = toOpenError(path, error);
		closeAll();
		throw openError;
	}
}

/** Migrates the file to this version and puts all of it on the disk. */
function prepareFile(
	raw: Sqlite.Database,
	path: string,
	{ maxPages }: SqliteStoreOptions,
): void {
	// Another process that opens or closes the file locks it for a moment.
	raw.pragma(`busy_timeout = ${OPEN_WAIT_MS}`);
	refuseForeign(raw);
	if (raw.pragma("journal_mode = WAL", { simple: true }) !== "wal")
		throw new StorageError(
			"database_unreadable",
			`${path} lies where SQLite cannot keep a log (WAL), which needs shared memory.`,
		);
	raw.pragma("synchronous = FULL");
	// Eight times the default: pages that every commit changes are copied back less often, and the log takes 32 MB.
	raw.pragma("wal_autocheckpoint = 8000");
	// Otherwise the undo journal of a savepoint is a temporary file, written for each statement with RETURNING.
	raw.pragma("temp_store = MEMORY");
	migrateSqlite(raw);
	copyLogBack(raw);
	// From here on, `log-sync.ts` syncs the log without blocking the event loop.
	raw.pragma("synchronous = NORMAL");
	if (maxPages) raw.pragma(`max_page_count = ${maxPages}`);
}

/**
 * Copies the log that the last process left into the file, and syncs it there. A part of the log may exist only in
 * memory if that process's last sync failed. While another program reads, only what it no longer needs is copied. With
 * a full disk the database can still be read. The rest is rewritten before the first commit (`LogSync.rewrite`).
 */
function copyLogBack(raw: Sqlite.Database): void {
	try {
		raw.pragma("wal_checkpoint(TRUNCATE)");
	} catch (error) {
		if (sqliteCodeOf(error) !== "SQLITE_FULL") throw error;
	}
}

/** The real path of the file: its log is beside it, whatever path leads there. */
const toRealPath = (raw: Sqlite.Database): string =>
	raw
		.prepare("select file from pragma_database_list where name = 'main'")
		.pluck()
		.get() as string;

/** The error for a file that could not be opened, in one sentence. */
export function toOpenError(path: string, error: unknown): unknown {
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
	const errno = codeOf(error);
	if (isDiskFull(code ?? errno)) {
		return new StorageError(
			"database_full",
			`The disk is full, so the database ${path} cannot be opened.`,
			error,
		);
	}
	if (code ?? errno) {
		return new StorageError(
			"database_unreadable",
			`The database ${path} cannot be opened (${code ?? errno}).`,
			error,
		);
	}
	return error;
}
