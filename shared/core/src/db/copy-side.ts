import type { Db } from "./db.ts";
import { refuseNewer } from "./sqlite/migrate.ts";
import { StorageError } from "./storage-error.ts";

/** One of the two databases of a copy: a transaction during which nobody else writes to the database. */
export interface Side {
	readonly db: Db;
	/** Throws a `StorageError` if another process of Partnerwire has the database open. */
	refuseInUse(): Promise<void>;
	/** Completes the tables of a target, and commits. */
	commit(): Promise<void>;
	/** Closes the database. Nothing is kept that was not committed. */
	close(): Promise<void>;
}

/** Throws unless the database has this version's tables. A source is never migrated, so that it stays as it was. */
export function requireCurrent(
	where: string,
	applied: readonly string[],
	known: readonly { readonly name: string }[],
): void {
	refuseNewer(
		applied,
		known.map(({ name }) => name),
	);
	if (applied.length === 0)
		throw new StorageError(
			"database_unreadable",
			`${where} holds no data of Partnerwire.`,
		);
	if (applied.length < known.length)
		throw new StorageError(
			"database_older",
			`${where} was written by an older version of Partnerwire: start this version on it once, or on a restored backup of it, and stop it again.`,
		);
}
