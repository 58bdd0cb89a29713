import { refuseNewer } from "./migrate.sqlite.ts";
import { postgresMigrations } from "./migrations.postgres.generated.ts";

/** One connection to PostgreSQL, as `pg` and `postgres` offer it. */
export interface PostgresClient {
	query(
		text: string,
		values?: unknown[],
	): Promise<{ rows: { [column: string]: unknown }[] }>;
}

/** Any number that no other program takes an advisory lock on. */
const LOCK = 7_276_843_012;

/** Brings a PostgreSQL database up to this version, in one transaction, under an advisory lock. */
export async function migratePostgres(client: PostgresClient): Promise<void> {
	await client.query("BEGIN");
	try {
		await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
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
		for (const { name, sql } of postgresMigrations.slice(applied.length)) {
			await client.query(sql);
			await client.query("INSERT INTO migration (name) VALUES ($1)", [name]);
		}
		await client.query("COMMIT");
	} catch (error) {
		await client.query("ROLLBACK");
		throw error;
	}
}
