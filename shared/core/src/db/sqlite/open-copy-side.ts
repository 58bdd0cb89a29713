import { existsSync } from "node:fs";
import type Sqlite from "better-sqlite3";
import { requireCurrent, type Side } from "../copy-side.ts";
import { StorageError } from "../storage-error.ts";
import { checkDatabasePath } from "./check-path.ts";
import { createSqliteDb, openSqliteConnection } from "./connection.ts";
import { migrateSqlite, refuseForeign } from "./migrate.ts";
import { sqliteMigrations } from "./migrations.generated.ts";
import { toOpenError } from "./open.ts";
import { createIfMissing } from "./private-file.ts";
import { leaveWal, openElsewhere } from "./refuse-in-use.ts";

/** Opens a SQLite database that no other process has open. Until it is closed, no other can open it to write. */
export function openSqliteSource(path: string): Side {
	if (!existsSync(path))
		throw new StorageError(
			"database_unreadable",
			`There is no database ${path}.`,
		);
	return openSide(path, { isTarget: false });
}

/** Opens a SQLite database for a copy, and creates it if necessary. */
export function openSqliteTarget(path: string): Side {
	checkDatabasePath(path);
	return openSide(path, { isTarget: true });
}

function openSide(path: string, { isTarget }: { isTarget: boolean }): Side {
	const raw = connect(path, isTarget);
	try {
		refuseForeign(raw);
		leaveWal(raw);
		// Only a new database is migrated: one with data is refused as it is.
		if (isTarget && readApplied(raw).length === 0) migrateSqlite(raw);
		// A copied row may come before the one that it refers to. The pragma has no effect inside a transaction.
		raw.pragma("foreign_keys = OFF");
		// 64 MB: the indexes of many rows.
		raw.pragma("cache_size = -65536");
		raw.exec(isTarget ? "BEGIN EXCLUSIVE" : "BEGIN");
		// This read also locks the source: whoever opens a database turns the log (WAL) on, and has to wait.
		const applied = readApplied(raw);
		if (raw.pragma("journal_mode", { simple: true }) === "wal")
			throw openElsewhere(path);
		requireCurrent(path, applied, sqliteMigrations);
	} catch (error) {
		raw.close();
		throw toOpenError(path, error);
	}
	return {
		db: createSqliteDb(raw),
		// The lock keeps others out.
		refuseInUse: async () => {},
		async commit() {
			raw.exec("COMMIT");
		},
		async close() {
			raw.close();
		},
	};
}

function connect(path: string, isTarget: boolean): Sqlite.Database {
	try {
		// Only its owner may read a new database.
		if (isTarget) createIfMissing(path);
		return openSqliteConnection(path);
	} catch (error) {
		throw toOpenError(path, error);
	}
}

function readApplied(raw: Sqlite.Database): string[] {
	const select = (from: string) =>
		raw.prepare(`SELECT name FROM ${from}`).pluck().all() as string[];
	return select("sqlite_schema WHERE name = 'migration'").length === 0
		? []
		: select("migration ORDER BY name");
}
