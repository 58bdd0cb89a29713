import { setTimeout as sleep } from "node:timers/promises";
import { getTableColumns, getTableName } from "drizzle-orm";
import type pg from "pg";
import { systemRandom } from "../../values/random.ts";
import { requireCurrent, type Side } from "../copy-side.ts";
import { StorageError } from "../storage-error.ts";
import { connectForLong, type LongConnection } from "./connect.ts";
import { createPostgresDb } from "./connection.ts";
import { isConnectionFault, postgresCodeOf } from "./faults.ts";
import { WAKE_CHANNEL } from "./listen.ts";
import { migratePostgres } from "./migrate.ts";
import { postgresMigrations } from "./migrations.generated.ts";
import { toOpenError } from "./refusals.ts";
import { tables } from "./schema.ts";
import { describeDatabase, parsePostgresUrl } from "./url.ts";

/** A copy may take longer than the server allows for a statement or for an idle transaction. */
const TIMEOUTS =
	"SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL lock_timeout = '10s'";

/** The server notices with a delay that a process has ended. */
const LOOKS = 20;
const LOOK_EVERY_MS = 100;

const TABLES = Object.values(tables);
const NAMES = TABLES.map((table) => `"${getTableName(table)}"`);

/** Opens a PostgreSQL database that no service and no worker uses. Until it is closed, nobody else can write to it. */
export const openPostgresSource = (database: string): Promise<Side> =>
	openSide(database, "SHARE");

/** Opens a PostgreSQL database for a copy, and creates the tables of a new one. */
export const openPostgresTarget = (database: string): Promise<Side> =>
	openSide(database, "ACCESS EXCLUSIVE");

async function openSide(
	database: string,
	lock: "SHARE" | "ACCESS EXCLUSIVE",
): Promise<Side> {
	const where = describeDatabase(database);
	const isTarget = lock === "ACCESS EXCLUSIVE";
	let client: pg.Client | undefined;
	try {
		const connection = await connectForLong(parsePostgresUrl(database));
		client = connection.client;
		// Only a new database is migrated: one with data is refused as it is.
		if (isTarget && (await readApplied(client)).length === 0)
			await migratePostgres(client);
		await client.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
		await client.query(TIMEOUTS);
		requireCurrent(where, await readApplied(client), postgresMigrations);
		await refuseInUse(client, where);
		await client.query(`LOCK TABLE ${NAMES.join(", ")} IN ${lock} MODE`);
		await refuseInUse(client, where);
		const complete = isTarget ? await takeApart(client) : [];
		return toSide(connection, database, complete);
	} catch (error) {
		await client?.end().catch(() => {});
		// lock_not_available
		throw postgresCodeOf(error) === "55P03"
			? inUse(where, error)
			: toOpenError(where, error);
	}
}

function toSide(
	{ client, traits }: LongConnection,
	database: string,
	complete: readonly string[],
): Side {
	const prepared =
		parsePostgresUrl(database).prepared ?? traits.keepsStatements;
	return {
		db: createPostgresDb(client, { prepared, random: systemRandom }),
		refuseInUse: () => refuseInUse(client, describeDatabase(database)),
		async commit() {
			for (const statement of complete) await client.query(statement);
			try {
				await client.query("COMMIT");
			} catch (error) {
				throw isConnectionFault(postgresCodeOf(error))
					? toUnknownCommit(error)
					: error;
			}
		},
		close: () => client.end().catch(() => {}),
	};
}

async function readApplied(client: pg.Client): Promise<string[]> {
	const { rows: found } = await client.query(
		"SELECT to_regclass(format('%I.migration', current_schema())) AS migration",
	);
	if (found[0].migration === null) return [];
	const { rows } = await client.query(
		"SELECT name FROM migration ORDER BY name",
	);
	return rows.map(({ name }) => name);
}

/**
 * Throws if another process of Partnerwire is connected. Its pools are known by their name, and its listening connection
 * by its last statement. A lock would show only a process that writes at this moment, and a session's lock would not pass
 * a pooler.
 */
async function refuseInUse(client: pg.Client, where: string): Promise<void> {
	for (let look = 0; look < LOOKS; look++) {
		// A transaction keeps what it saw first.
		await client.query("SELECT pg_stat_clear_snapshot()");
		const { rows } = await client.query(
			`SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()
				AND (application_name LIKE 'partnerwire%' OR query = 'listen ${WAKE_CHANNEL}')`,
		);
		if (rows.length === 0) return;
		await sleep(LOOK_EVERY_MS);
	}
	throw inUse(where);
}

const toUnknownCommit = (error: unknown): StorageError =>
	new StorageError(
		"database_unconfirmed",
		"The connection ended during the commit. Run the copy again: if the target then holds data, the copy is complete.",
		error,
	);

const inUse = (where: string, cause?: unknown): StorageError =>
	new StorageError(
		"database_busy",
		`${where} is in use: stop every serve and worker first. (A pooler keeps their connections for some minutes; RECONNECT ends them.)`,
		cause,
	);

/**
 * Drops indexes and foreign keys, and switches triggers off. Returns the statements that bring all of them back.
 * Indexes are built faster after the rows. Foreign keys would refuse a row that comes before the one that it refers to.
 * The triggers count records: in one transaction, each update of a counter reads all earlier ones.
 */
async function takeApart(client: pg.Client): Promise<string[]> {
	const { rows } = await client.query(
		`SELECT 1 AS place, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS remove,
			format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS make
		FROM pg_constraint WHERE contype = 'f' AND conrelid = ANY($1::regclass[])
		UNION ALL
		SELECT 2, format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
		FROM pg_index WHERE indrelid = ANY($1::regclass[])
			AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
		ORDER BY place`,
		[NAMES],
	);
	const triggers = (state: "DISABLE" | "ENABLE") =>
		NAMES.map((name) => `ALTER TABLE ${name} ${state} TRIGGER USER`);
	// Foreign keys first, some of which need an index.
	for (const { remove } of rows) await client.query(remove);
	for (const disable of triggers("DISABLE")) await client.query(disable);
	return [
		...rows.map(({ make }) => make).reverse(),
		...triggers("ENABLE"),
		...TABLES.flatMap(toIdStatements),
		`ANALYZE ${NAMES.join(", ")}`,
	];
}

/** The next id of a table with an integer key follows the highest one. */
function toIdStatements(table: (typeof TABLES)[number]): string[] {
	const name = `"${getTableName(table)}"`;
	return Object.values(getTableColumns(table))
		.filter(({ primary, dataType }) => primary && dataType === "number")
		.map(
			(column) =>
				`SELECT setval(pg_get_serial_sequence('${name}', '${column.name}'), max("${column.name}")) FROM ${name}`,
		);
}
