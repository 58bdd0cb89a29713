import { refuseNewer } from "../sqlite/migrate.ts";
import { StorageError } from "../storage-error.ts";
import { toLockStatement } from "./advisory-lock.ts";
import { postgresMigrations } from "./migrations.generated.ts";

/** One connection to PostgreSQL, as `pg` and `postgres` offer it. */
export interface PostgresClient {
	query(
		text: string,
		values?: unknown[],
	): Promise<{ rows: { [column: string]: unknown }[] }>;
}

/** The advisory lock of migrations: a number that no other program uses. */
const LOCK = 7_276_843_012;

/** The oldest version of PostgreSQL that the tests run on. */
const OLDEST = 14;

/** No timeouts: a migration may rebuild an index of a large table. */
const NO_TIMEOUTS =
	"SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0";

/**
 * The operators of text search, in whatever schema they are. Without an earlier one they go to `public`, so that they
 * outlive the schema that needed them first. Several schemas may need them at the same time.
 */
const CREATE_TRIGRAMS = `
DO $$ BEGIN
	IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN RETURN; END IF;
	PERFORM pg_advisory_xact_lock(${LOCK});
	IF to_regnamespace('public') IS NULL THEN CREATE EXTENSION IF NOT EXISTS pg_trgm;
	ELSE CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
	END IF;
END $$`;
const FIND_TRIGRAMS = `
SELECT set_config('search_path', concat_ws(', ', current_setting('search_path'), quote_ident(nspname)), true)
FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'pg_trgm'`;

/**
 * Migrates the first schema of the connection's `search_path` to this version, in one transaction, under an advisory
 * lock.
 */
export async function migratePostgres(client: PostgresClient): Promise<void> {
	await client.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
	try {
		await client.query(NO_TIMEOUTS);
		await refuseUnsuitable(client);
		await client.query(toLockStatement(String(LOCK)));
		await client.query(
			"CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
		);
		const { rows } = await client.query(
			"SELECT name FROM migration ORDER BY name",
		);
		const applied = rows.map((row) => String(row.name));
		refuseNewer(
			applied,
			postgresMigrations.map(({ name }) => name),
		);
		const missing = postgresMigrations.slice(applied.length);
		if (missing.length > 0) {
			await client.query(CREATE_TRIGRAMS);
			await client.query(FIND_TRIGRAMS);
		}
		for (const { name, sql } of missing) {
			await client.query(sql);
			await client.query("INSERT INTO migration (name) VALUES ($1)", [name]);
		}
		await client.query("COMMIT");
	} catch (error) {
		// The migration's error is thrown, not the one of a lost connection.
		await client.query("ROLLBACK").catch(() => {});
		throw error;
	}
}

/** Refuses a server that is too old, and a database that would store or compare text wrongly. */
async function refuseUnsuitable(client: PostgresClient): Promise<void> {
	const { rows } = await client.query(
		`SELECT current_setting('server_version_num')::int AS number, split_part(current_setting('server_version'), ' ', 1) AS version,
			current_setting('server_encoding') AS encoding, EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') AS icu`,
	);
	const { number, version, encoding, icu } = rows[0] ?? {};
	const refuse = (why: string) => {
		throw new StorageError("database_unreadable", why);
	};
	if (Number(number) < OLDEST * 10_000)
		refuse(
			`The server is PostgreSQL ${version}: Partnerwire needs version ${OLDEST} or later.`,
		);
	if (encoding !== "UTF8")
		refuse(`The database's encoding is ${encoding}: Partnerwire needs UTF8.`);
	if (icu !== true)
		refuse(
			"The server was built without ICU, by which Partnerwire folds the case of text.",
		);
}
