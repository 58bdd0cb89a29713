import pg from "pg";
import { type Random, systemRandom } from "../../values/random.ts";
import type { Store } from "../db.ts";
import { postgresDialect } from "../dialect.ts";
import { createScopedCommit } from "../sqlite/scoped-commit.ts";
import {
	CONNECT_MS,
	type ConnectionTraits,
	connectForLong,
} from "./connect.ts";
import { openHints } from "./listen.ts";
import { migratePostgres } from "./migrate.ts";
import { createPostgresReader } from "./reader.ts";
import { toOpenError } from "./refusals.ts";
import { tables } from "./schema.ts";
import { describeDatabase, parsePostgresUrl } from "./url.ts";
import { openPostgresWorkerLock } from "./worker-lock.ts";
import { createPostgresWriter } from "./writer.ts";

export interface PostgresStoreOptions {
	/** Called with the number of writes of each committed transaction. */
	onBatch?: ((writes: number) => void) | undefined;
	/** The source of the ids of new rows and of secrets. */
	random?: Random | undefined;
	/** How long a write or a read is retried while the server cannot be reached. */
	reconnectMs?: number;
}

const RECONNECT_MS = 10_000;

/**
 * Connects to the database of a `postgres://` URL and migrates it to this version; any number of processes may do so at
 * once. Nothing is kept in a session, so a pooler may be in between. Throws a `StorageError` of one sentence.
 */
export async function openPostgresStore(
	database: string,
	options: PostgresStoreOptions = {},
): Promise<Store> {
	const settings = parsePostgresUrl(database);
	const { listenUrls, poolSize, statementTimeoutMs } = settings;
	const { url, traits } = await migrate(database);
	const prepared = settings.prepared ?? traits.keepsStatements;
	const openPool = (more?: pg.PoolConfig) => {
		const pool = new pg.Pool({
			connectionString: url,
			max: poolSize,
			connectionTimeoutMillis: CONNECT_MS,
			// The server ends a slow statement and releases its locks. This timeout is for a server that does not answer.
			query_timeout: statementTimeoutMs * 2,
			...more,
			keepAlive: true,
			application_name: "partnerwire",
		});
		// An idle connection may be cut, as by a restart of the server. The pool opens another when needed.
		pool.on("error", () => {});
		// A connection cut within a transaction emits this too. Its user gets the error from the statement.
		pool.on("connect", (client) => client.on("error", () => {}));
		return pool;
	};
	const random = options.random ?? systemRandom;
	const reconnectMs = options.reconnectMs ?? RECONNECT_MS;
	// Two pools, like the two connections on SQLite: a write that also reads must not wait for other writes to end.
	const reads = openPool({
		pipeline: true,
		...(traits.takesTimeout && { statement_timeout: statementTimeoutMs }),
	});
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
	// Through a pooler no hints arrive; workers look by themselves.
	const hints = openHints(
		listenUrls ?? (traits.isPooled ? null : [url]),
		reads,
		wakeHere,
	);
	const { read, readSnapshot } = createPostgresReader(reads, {
		prepared,
		random,
		statementTimeoutMs,
		endsStatements: traits.endsStatements,
		reconnectMs,
	});
	return {
		dialect: postgresDialect,
		tables,
		read,
		// On PostgreSQL, visible rows are durable.
		readUnsynced: read,
		readSnapshot,
		write: (work, scope) => commits.write(work, scope ?? null),
		wake() {
			wakeHere();
			hints.notify();
		},
		onWake(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		openWorkerLock: (options) => openPostgresWorkerLock(hints, read, options),
		async close() {
			await commits.drain();
			await hints.close();
			await reads.end();
			await writes.end();
		},
	};
}

async function migrate(
	database: string,
): Promise<{ url: string; traits: ConnectionTraits }> {
	try {
		const { client, url, traits } = await connectForLong(database);
		try {
			await migratePostgres(client);
			return { url, traits };
		} finally {
			await client.end().catch(() => {});
		}
	} catch (error) {
		throw toOpenError(describeDatabase(database), error);
	}
}
