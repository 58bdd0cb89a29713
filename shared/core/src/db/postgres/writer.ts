import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@partnerwire/contract";
import type pg from "pg";
import type { Db } from "../db.ts";
import { StorageError } from "../storage-error.ts";
import { toLockStatement } from "./advisory-lock.ts";
import {
	type ConnectionOptions,
	createPostgresDb,
	type Runner,
} from "./connection.ts";
import {
	isConnectionFault,
	isRace,
	postgresCodeOf,
	toPostgresFault,
} from "./faults.ts";

export interface WriterOptions extends ConnectionOptions {
	readonly statementTimeoutMs: number;
	/** How long a transaction is retried while the server cannot be reached. */
	readonly reconnectMs: number;
	/** Called with the number of writes of each committed transaction. */
	readonly onBatch: (writes: number) => void;
}

export type Work<Result = unknown> = (db: Db) => Promise<Result>;

export interface PostgresWriter {
	/** Whether this code runs inside a write. */
	isInside(): boolean;
	/** Runs all works in one transaction, in which each may fail alone. Returns the outcome of each. */
	run(works: readonly Work[], scope: string | null): Promise<Outcome[]>;
}

export type Outcome = { value: unknown } | { error: unknown };

/** How often a transaction is retried because another one was first. */
const MAX_RACES = 6;

// A savepoint of the same name takes the place of the one before, which the commit ends.
const SAVEPOINT = "savepoint write";

interface TransactionState {
	committing: boolean;
	/** Set once a work has failed that had changed something: the next try gives each work a savepoint. */
	needsSavepoints: boolean;
}

/** A client's `Db`, and whether the work that uses it has changed anything, or may have: a failed statement counts. */
interface Session {
	readonly db: Db;
	readonly use: { hasChanged: boolean };
}

function watchUse(client: pg.PoolClient) {
	const use = { hasChanged: false };
	async function query(config: pg.QueryConfig): Promise<pg.QueryResult> {
		if (!/^\s*select\b/i.test(config.text)) use.hasChanged = true;
		try {
			return await client.query(config);
		} catch (error) {
			use.hasChanged = true;
			throw error;
		}
	}
	return { runner: { query } as Runner, use };
}

/** The advisory lock of a scope: transactions with the same number wait for each other. */
const toLock = (scope: string) =>
	createHash("sha256").update(scope).digest().readBigInt64BE(0);

/** Runs transactions on clients of a pool, and retries them as long as nothing of them can have been stored. */
export function createPostgresWriter(
	pool: pg.Pool,
	options: WriterOptions,
): PostgresWriter {
	const inside = new AsyncLocalStorage<true>();
	const sessions = new WeakMap<pg.PoolClient, Session>();
	// Set for the transaction, not for the session, because a pooler such as PgBouncer shares sessions. Read committed,
	// whatever the database or the role asks for: each statement must see what was committed while it waited for a lock.
	const begin = `begin isolation level read committed read write; set local statement_timeout = ${options.statementTimeoutMs}; set local idle_in_transaction_session_timeout = ${options.statementTimeoutMs}`;

	const sessionOf = (client: pg.PoolClient): Session => {
		const known = sessions.get(client);
		if (known) return known;
		const { runner, use } = watchUse(client);
		const session = { db: createPostgresDb(runner, options), use };
		sessions.set(client, session);
		return session;
	};

	async function runOne(work: Work, db: Db): Promise<Outcome> {
		try {
			return { value: await inside.run(true, work, db) };
		} catch (error) {
			return { error };
		}
	}

	/**
	 * One try. Throws if the whole transaction failed. `state.committing` then says whether the commit may have
	 * succeeded, and `state.needsSavepoints` whether the works need savepoints to fail alone.
	 */
	async function transact(
		works: readonly Work[],
		scope: string | null,
		state: TransactionState,
	): Promise<Outcome[]> {
		state.committing = false;
		const client = await pool.connect();
		let broken: Error | undefined;
		try {
			await client.query(
				scope === null
					? begin
					: `${begin}; ${toLockStatement(String(toLock(scope)))}`,
			);
			const { db, use } = sessionOf(client);
			const outcomes: Outcome[] = [];
			for (const work of works) {
				if (state.needsSavepoints) await client.query(SAVEPOINT);
				use.hasChanged = false;
				const outcome = await runOne(work, db);
				outcomes.push(outcome);
				if (!("error" in outcome)) continue;
				if (
					works.length === 1 ||
					endsTransaction(postgresCodeOf(outcome.error))
				)
					throw outcome.error;
				if (state.needsSavepoints) await client.query("rollback to write");
				else if (use.hasChanged) {
					state.needsSavepoints = true;
					throw outcome.error;
				}
			}
			await commit(client, state);
			return outcomes;
		} catch (error) {
			broken = isLost(error) ? (error as Error) : await rollback(client);
			throw error;
		} finally {
			client.release(broken);
		}
	}

	async function commit(
		client: pg.PoolClient,
		state: TransactionState,
	): Promise<void> {
		state.committing = true;
		const { command } = await client.query("commit");
		state.committing = false;
		// A statement failed and the work went on: PostgreSQL then answers COMMIT with a rollback.
		if (command !== "COMMIT")
			throw new TypeError("the transaction had failed before its end");
	}

	async function run(
		works: readonly Work[],
		scope: string | null,
	): Promise<Outcome[]> {
		const giveUpAt = performance.now() + options.reconnectMs;
		const state = { committing: false, needsSavepoints: false };
		for (let races = 0; ; ) {
			const hadSavepoints = state.needsSavepoints;
			let outcomes: Outcome[];
			try {
				outcomes = await transact(works, scope, state);
			} catch (error) {
				if (state.needsSavepoints && !hadSavepoints) continue;
				const code = postgresCodeOf(error);
				if (state.committing && isLost(error)) throw toUnknownCommit(error);
				if (isRace(code) && ++races < MAX_RACES)
					await sleep(Math.random() * 2 ** races);
				else if (isConnectionFault(code) && performance.now() < giveUpAt)
					await sleep(50 + Math.random() * 150);
				else throw toFault(error);
				continue;
			}
			options.onBatch(works.length);
			return outcomes.map((outcome) =>
				"error" in outcome ? { error: toFault(outcome.error) } : outcome,
			);
		}
	}

	return { isInside: () => inside.getStore() === true, run };
}

/** The error of a transaction that failed in every try. */
function toFault(error: unknown): unknown {
	const code = postgresCodeOf(error);
	if (!isRace(code)) return toPostgresFault(error) ?? error;
	return new ApiError(
		"conflict",
		"other requests changed the same records at the same moment; try again",
		{ cause: error },
	);
}

/** Whether the connection is lost or the server does not answer on it: no rollback can be sent. */
function isLost(error: unknown): boolean {
	const code = postgresCodeOf(error);
	return isConnectionFault(code) || code === "timeout";
}

/** Whether an error ends the whole transaction, whichever work caused it. */
const endsTransaction = (code: string | undefined) =>
	isRace(code) || isConnectionFault(code) || code === "timeout";

/** Rolls back. Returns an error if the client cannot be used again. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
	try {
		await client.query("rollback");
		return undefined;
	} catch (error) {
		return error as Error;
	}
}

/** The connection was lost during the commit: a retry could store everything twice. */
const toUnknownCommit = (cause: unknown) =>
	new StorageError(
		"database_io",
		"The connection to the database ended during the commit: whether this request was stored is not known.",
		cause,
	);
