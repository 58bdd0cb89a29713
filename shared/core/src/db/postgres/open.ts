import pg from "pg";
import { type Random, systemRandom } from "../../values/random.ts";
import type { Store } from "../db.ts";
import { postgresDialect } from "../dialect.ts";
import { createScopedCommit } from "../sqlite/scoped-commit.ts";
import {
	CONNECT_MS,
	type ConnectionTraits,
	connectForLong,
	type LongConnection,
} from "./connect.ts";
import { toPostgresFault } from "./faults.ts";
import { openHints } from "./listen.ts";
import { migratePostgres } from "./migrate.ts";
import { createPostgresReader } from "./reader.ts";
import { toOpenError } from "./refusals.ts";
import { openReplica, type ReplicaHooks } from "./replica.ts";
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
	/** Reads lists from the standby of the URL's `read_url`. Without it that is not connected to. */
	replica?: ReplicaHooks | undefined;
}

const RECONNECT_MS = 10_000;
/** The primary answers if the standby cannot, so a read there is tried again only for a single lost connection. */
const REPLICA_RECONNECT_MS = 500;

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
	const toPrepared = ({ keepsStatements }: ConnectionTraits) =>
		settings.prepared ?? keepsStatements;
	const openPool = (connectionString: string, more?: pg.PoolConfig) => {
		const pool = new pg.Pool({
			connectionString,
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
	const openReads = (
		{ url, traits }: Pick<LongConnection, "url" | "traits">,
		patienceMs: number,
	) => {
		const pool = openPool(url, {
			pipeline: true,
			...(traits.takesTimeout && { statement_timeout: statementTimeoutMs }),
		});
		const reader = createPostgresReader(pool, {
			prepared: toPrepared(traits),
			random,
			statementTimeoutMs,
			endsStatements: traits.endsStatements,
			reconnectMs: patienceMs,
		});
		return { ...reader, pool, close: () => pool.end() };
	};
	const reads = openReads({ url, traits }, reconnectMs);
	const writes = openPool(url);
	const commits = createScopedCommit(
		createPostgresWriter(writes, {
			prepared: toPrepared(traits),
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
		reads.pool,
		wakeHere,
	);
	const { read, readSnapshot } = reads;
	const close = async () => {
		await commits.drain();
		await hints.close();
		await reads.close();
		await writes.end();
	};
	const { readUrls, readMaxLagMs } = settings;
	const replica =
		readUrls && options.replica
			? await openReplica({
					...options.replica,
					replica: describeDatabase(readUrls[0] as string),
					primary: reads,
					maxLagMs: readMaxLagMs,
					connect: async () =>
						openReads(
							await findStandby(readUrls, statementTimeoutMs),
							REPLICA_RECONNECT_MS,
						),
				}).catch(async (error) => {
					await close();
					throw error;
				})
			: null;
	return {
		dialect: postgresDialect,
		tables,
		read,
		// On PostgreSQL, visible rows are durable.
		readUnsynced: read,
		readSnapshot: (work, onReplica) =>
			replica && onReplica
				? replica.readSnapshot(work, onReplica)
				: readSnapshot(work),
		replica,
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
			await Promise.all([replica?.close(), close()]);
		},
	};
}

async function migrate(
	database: string,
): Promise<{ url: string; traits: ConnectionTraits }> {
	try {
		const { client, url, traits } = await connectForLong(
			parsePostgresUrl(database),
		);
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

/** Finds out how to connect to a standby. One that may come back is `database_io`. */
async function findStandby(
	urls: readonly string[],
	statementTimeoutMs: number,
): Promise<LongConnection> {
	try {
		const found = await connectForLong({ urls, statementTimeoutMs });
		await found.client.end().catch(() => {});
		return found;
	} catch (error) {
		throw (
			toPostgresFault(error) ??
			toOpenError(describeDatabase(urls[0] as string), error)
		);
	}
}
