import type { Store } from "./db.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./open.sqlite.ts";
import type { RateTable } from "./open-rate-table.postgres.ts";
import { isPostgresUrl } from "./postgres-url.ts";

/** Connects to the PostgreSQL database that counts rate limits for many processes. */
export async function openRateTable(database: string): Promise<RateTable> {
	const { openRateTable } = await import("./open-rate-table.postgres.ts");
	return openRateTable(database);
}

/** Opens the database that a path or a `postgres://` URL names. Throws a `StorageError` of one sentence. */
export async function openStore(
	database: string,
	options: Pick<SqliteStoreOptions, "onBatch" | "maxBatchMs" | "random"> = {},
): Promise<Store> {
	if (!isPostgresUrl(database)) return openSqliteStore(database, options);
	// Who uses SQLite loads neither the driver nor the schema of PostgreSQL.
	const { openPostgresStore } = await import("./open.postgres.ts");
	return openPostgresStore(database, options);
}
