import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Db, Store } from "../db.ts";
import { type ConnectionOptions, createPostgresDb } from "./connection.ts";
import {
	isConnectionFault,
	postgresCodeOf,
	toPostgresFault,
} from "./faults.ts";

export interface ReaderOptions extends ConnectionOptions {
	readonly statementTimeoutMs: number;
	/**
	 * Whether the server ends statements of the pool's connections in time. If not, as through PgBouncer in transaction
	 * mode, each read is a transaction that sets the timeout.
	 */
	readonly endsStatements: boolean;
	/** How long a read is retried while the server cannot be reached. */
	readonly reconnectMs: number;
}

/**
 * Reads on clients of a pool. They are as patient as writes: while the server restarts, a read is retried, because it
 * changes nothing. A read that timed out is not retried: that would only add load.
 */
export function createPostgresReader(
	pool: pg.Pool,
	options: ReaderOptions,
): Pick<Store, "read" | "readSnapshot"> {
	const { statementTimeoutMs, endsStatements, reconnectMs } = options;
	const dbs = new WeakMap<pg.PoolClient, Db>();
	const begin = [
		"begin isolation level repeatable read read only",
		`set local idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
		...(endsStatements
			? []
			: [`set local statement_timeout = ${statementTimeoutMs}`]),
	].join("; ");

	const dbOf = (client: pg.PoolClient): Db => {
		const db = dbs.get(client) ?? createPostgresDb(client, options);
		dbs.set(client, db);
		return db;
	};

	async function retry<Result>(read: () => Promise<Result>): Promise<Result> {
		const giveUpAt = performance.now() + reconnectMs;
		for (;;) {
			try {
				return await read();
			} catch (error) {
				const isGone = isConnectionFault(postgresCodeOf(error));
				if (!isGone || performance.now() > giveUpAt)
					throw toPostgresFault(error) ?? error;
				await sleep(50 + Math.random() * 150);
			}
		}
	}

	async function readInTransaction<Result>(
		work: (client: pg.PoolClient) => Promise<Result>,
	): Promise<Result> {
		const client = await pool.connect();
		let broken: Error | undefined;
		try {
			// The pool's clients send statements without waiting, so BEGIN and the first statement share a round trip.
			const begun = client.query(begin);
			const [read, started] = await Promise.allSettled([work(client), begun]);
			if (started.status === "rejected") throw started.reason;
			if (read.status === "rejected") throw read.reason;
			return read.value;
		} catch (error) {
			if (isConnectionFault(postgresCodeOf(error))) broken = error as Error;
			throw error;
		} finally {
			// The caller does not wait for it. It also ends a transaction whose statement failed.
			client.query("commit").then(
				() => client.release(broken),
				(error) => client.release(error),
			);
		}
	}

	const readOne = (config: pg.QueryConfig) =>
		retry(() =>
			endsStatements
				? pool.query(config)
				: readInTransaction((client) => client.query(config)),
		);
	return {
		read: createPostgresDb({ query: readOne as pg.Pool["query"] }, options),
		readSnapshot: (work) =>
			retry(() => readInTransaction(async (client) => work(dbOf(client)))),
	};
}
