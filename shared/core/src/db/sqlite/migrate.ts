import type Sqlite from "better-sqlite3";
import { StorageError } from "../storage-error.ts";
import { sqliteMigrations } from "./migrations.generated.ts";

/**
 * Migrates a database to this version, in one transaction; safe when several processes start at once. Throws a
 * `StorageError` if the database was written by a newer version.
 */
export function migrateSqlite(raw: Sqlite.Database): void {
	// With foreign keys enforced, rebuilding a table would delete its children. The pragma has no effect inside a
	// transaction.
	raw.pragma("foreign_keys = OFF");
	raw.pragma("busy_timeout = 10000");
	raw.exec("BEGIN IMMEDIATE");
	try {
		raw.exec(
			"CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY NOT NULL, applied_at integer NOT NULL)",
		);
		// Changes nothing, but fails on a read-only file, which BEGIN IMMEDIATE accepts.
		raw.exec("DELETE FROM migration WHERE name IS NULL");
		const applied = raw
			.prepare("SELECT name FROM migration ORDER BY name")
			.pluck()
			.all() as string[];
		refuseNewer(
			applied,
			sqliteMigrations.map(({ name }) => name),
		);
		for (const { name, sql } of sqliteMigrations.slice(applied.length)) {
			raw.exec(sql);
			raw
				.prepare("INSERT INTO migration VALUES (?, unixepoch('subsec') * 1000)")
				.run(name);
		}
		const broken = raw.pragma("foreign_key_check") as unknown[];
		if (broken.length > 0)
			throw new Error(`the migration breaks ${broken.length} foreign keys`);
		raw.exec("COMMIT");
	} finally {
		if (raw.inTransaction) raw.exec("ROLLBACK");
		raw.pragma("foreign_keys = ON");
		raw.pragma("busy_timeout = 0");
	}
}

/** Refuses the database of another program before anything in it changes. */
export function refuseForeign(raw: Sqlite.Database): void {
	const names = raw
		.prepare(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
		)
		.pluck()
		.all();
	if (names.length > 0 && !names.includes("migration")) {
		throw new StorageError(
			"database_unreadable",
			`${raw.name} is the SQLite database of another program.`,
		);
	}
}

/** Refuses a database that holds migrations which this version does not know. */
export function refuseNewer(
	applied: readonly string[],
	known: readonly string[],
): void {
	const unknown = applied.find((name) => !known.includes(name));
	if (unknown) {
		throw new StorageError(
			"database_newer",
			`The database was written by a newer version of Partnerwire (migration ${unknown}); upgrade this one.`,
		);
	}
}
