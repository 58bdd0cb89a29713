import type { Store } from "./db.ts";
import type { PostgresStoreOptions } from "./postgres/open.ts";
import type { RateTable } from "./postgres/open-rate-table.ts";
import { isPostgresUrl } from "./postgres/url.ts";
import { openSqliteStore, type SqliteStoreOptions } from "./sqlite/open.ts";

/** Connects to the PostgreSQL database in which several processes count rate limits together. */
export async function openRateTable(database: string): Promise<RateTable> {
	const { openRateTable } = await import("./postgres/open-rate-table.ts");
	return openRateTable(database);
}

/** Opens the database of a path or a `postgres://` URL. Throws a `StorageError` of one sentence. */
export async function openStore(
	database: string,
	options: Pick<SqliteStoreOptions, "onBatch" | "maxBatchMs" | "random"> &
		Pick<PostgresStoreOptions, "replica"> = {},
): Promise<Store> {
	if (!isPostgresUrl(database)) return openSqliteStore(database, options);
	// Imported here, so that SQLite users load neither the driver nor the schema of PostgreSQL.
	const { openPostgresStore } = await import("./postgres/open.ts");
	return openPostgresStore(database, options);
}
