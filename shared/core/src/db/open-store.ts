import type { Store } from "./db.ts";
import type { RateTable } from "./postgres/open-rate-table.ts";
import { isPostgresUrl } from "./postgres/url.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite/open.ts";

/** Connects to the PostgreSQL database that counts rate limits for many processes. */
export async function openRateTable(database: string): Promise<RateTable> {
	const { openRateTable } = await import("./postgres/open-rate-table.ts");
	return openRateTable(database);
}

/** Opens the database that a path or a `postgres://` URL names. Throws a `StorageError` of one sentence. */
export async function openStore(
	database: string,
	options: Pick<SqliteStoreOptions, "onBatch" | "maxBatchMs" | "random"> = {},
): Promise<Store> {
	if (!isPostgresUrl(database)) return openSqliteStore(database, options);
	// Who uses SQLite loads neither the driver nor the schema of PostgreSQL.
	const { openPostgresStore } = await import("./postgres/open.ts");
	return openPostgresStore(database, options);
}
