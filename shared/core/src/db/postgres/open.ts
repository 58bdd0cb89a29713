import pg from "pg";
import { type Random, systemRandom } from "../../values/random.ts";
import type { Store } from "../db.ts";
import { postgresDialect } from "../dialect.ts";
import { createScopedCommit } from "../sqlite/scoped-commit.ts";
import { createBoundedReader } from "./bounded-reader.ts";
import { connectToFind, type Way } from "./connect.ts";
import { createPostgresDb } from "./connection.ts";
import { openHints } from "./listen.ts";
import { migratePostgres } from "./migrate.ts";
import { createPatientReader } from "./patient-reader.ts";
import { toOpenError } from "./refusals.ts";
import { tables } from "./schema.ts";
import { describeDatabase, parsePostgresUrl } from "./url.ts";
import { createPostgresWriter } from "./writer.ts";

export interface PostgresStoreOptions {
	/** Called with the number of writes of each committed transaction. */
	onBatch?: ((writes: number) => void) | undefined;
	/** Where the ids of new rows and secrets come from. */
	random?: Random | undefined;
	/** How long a write or a read is tried again while the server cannot be reached. */
	reconnectMs?: number;
}

const CONNECT_MS = 10_000;
const RECONNECT_MS = 10_000;
/** A migration may rebuild an index of a large table. */
const MIGRATION_MS = 3_600_000;

/**
 * Connects to the database of a `postgres://` URL and brings it up to this version; any number of processes may do so at
 * once. Nothing is kept in a session, so that a pooler may stand between. Throws a `StorageError` of one sentence.
 */
export async function openPostgresStore(
	database: string,
	options: PostgresStoreOptions = {},
): Promise<Store> {
	const { url, listenUrl, poolSize, statementTimeoutMs, prepared } =
		parsePostgresUrl(database);
	const way = await migrate({ url, statementTimeoutMs, database });
	const openPool = (more?: pg.PoolConfig) => {
		const pool = new pg.Pool({
			connectionString: url,
			max: poolSize,
			connectionTimeoutMillis: CONNECT_MS,
			// The server ends a statement, and so what it holds; this is for a server that does not answer.
			query_timeout: statementTimeoutMs * 2,
			...more,
			keepAlive: true,
			application_name: "partnerwire",
		});
		// An idle connection that is cut, as by a restart of the server, is made anew when it is needed.
		pool.on("error", () => {});
		// One that is cut in the middle of a transaction says so here too; whoever uses it hears of it from its statement.
		pool.on("connect", (client) => client.on("error", () => {}));
		return pool;
	};
	const random = options.random ?? systemRandom;
	const reconnectMs = options.reconnectMs ?? RECONNECT_MS;
	// Two pools, as on SQLite two connections: a write that reads beside itself must not wait for other writes to end.
	const reads = openPool(
		way.takesTimeout ? { statement_timeout: statementTimeoutMs } : {},
	);
	const writes = openPool();
	const commits = createScopedCommit(
		createPostgresWriter(writes, {
			prepared,
			random,
			statementTimeoutMs,
			reconnectMs,
			onBatch: options.onBatch ?? (() => {}),
		}),
	);
	const listeners = new Set<() => void>();
	const wakeHere = () => {
		for (const listener of listeners) listener();
	};
	// Through a pooler nothing is heard; whoever works looks by itself.
	const hints = openHints(
		listenUrl ?? (way.isPooled ? null : url),
		reads,
		wakeHere,
	);
	const read = createPostgresDb(
		createPatientReader(
			way.endsStatements
				? reads
				: createBoundedReader(reads, statementTimeoutMs),
			reconnectMs,
		),
		{ prepared, random },
	);
	return {
		dialect: postgresDialect,
		tables,
		read,
		// What another transaction sees is durable there.
		readUnsynced: read,
		write: (work, scope) => commits.write(work, scope ?? null),
		wake() {
			wakeHere();
			hints.notify();
		},
		onWake(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async close() {
			await commits.drain();
			await hints.close();
			await reads.end();
			await writes.end();
		},
	};
}

async function migrate(o: {
	url: string;
	statementTimeoutMs: number;
	database: string;
}): Promise<Way> {
	try {
		const { client, way } = await connectToFind({
			...o,
			connectMs: CONNECT_MS,
			queryMs: MIGRATION_MS,
		});
		try {
			await migratePostgres(client);
			return way;
		} finally {
			await client.end().catch(() => {});
		}
	} catch (error) {
		throw toOpenError(describeDatabase(o.database), error);
	}
}
