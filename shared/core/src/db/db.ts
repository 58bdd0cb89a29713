import type { SQL } from "drizzle-orm";
import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { Random } from "../values/random.ts";
import type { Dialect } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** Drizzle's query builder. SQLite's types are used for both engines. */
export type Query = SqliteRemoteDatabase<Record<string, never>>;

/** The database as features use it, the same on both engines. Await a builder; never call `.get()` or `.all()`. */
export interface Db {
	readonly query: Query;
	readonly tables: Tables;
	readonly dialect: Dialect;
	/** The source of the ids of new rows and of secrets. */
	readonly random: Random;
	/**
	 * Runs hand-written PostgreSQL statements, for many rows at once. Null on SQLite, where a statement costs
	 * microseconds.
	 */
	readonly postgres: PostgresStatements | null;
	/** Prepares a built query for many executions. Use `defineQuery`, which does this once per connection. */
	prepare<Result>(
		name: string,
		query: Preparable<Result>,
		defaults: Values,
	): Execute<Result>;
}

/** A query of Drizzle's builder. A prepared query has a name on PostgreSQL and none on SQLite. */
export interface Preparable<Result> extends PromiseLike<Result> {
	prepare(name?: string): unknown;
	getSQL(): SQL;
}

/**
 * Runs a statement with parameters `$1` and so on. It may be kept prepared, under a name that begins with `name`. Null
 * has it planned for its values each time.
 */
export type PostgresStatements = <Row>(
	name: string | null,
	text: string,
	values: unknown[],
) => Promise<Row[]>;

/** Placeholder values by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Executes a prepared query. A placeholder without a value and without a default is an error. */
export type Execute<Result> = (values: Values) => Promise<Result>;

/** A standby of a PostgreSQL database that answers lists (docs/scale.md#read-replica). */
export interface Replica {
	/** Whether it answers. */
	serves(): boolean;
	/** The milliseconds whose changes it may lack; infinite if that is not known. */
	stalenessMs(): number;
}

/** A database: reads that never wait for a write, and writes. Both return only durable data. */
export interface Store {
	readonly dialect: Dialect;
	readonly tables: Tables;
	readonly read: Db;
	/**
	 * Reads rows that may not be on disk yet. Only for decisions of this process that a write checks again: data that
	 * leaves the process is read through `read`.
	 */
	readonly readUnsynced: Db;
	/**
	 * Runs `work`, which reads the database as it was at one moment, also with several statements. It only reads: it must
	 * not wait for the network or a timer, and may run again if the connection is lost.
	 */
	readSnapshot<Result>(
		work: (db: Db) => Promise<Result>,
		/**
		 * Lets the read replica answer, if there is one and it is not too far behind. It is called with the milliseconds whose
		 * changes may be missing, and is not called if the database itself answered.
		 */
		onReplica?: (stalenessMs: number) => void,
	): Promise<Result>;
	/** The read replica, if the store was opened with one. */
	readonly replica: Replica | null;
	/**
	 * Runs `work` atomically. It must not wait for the network or a timer, and must not call `write` again. Throws what
	 * `work` throws, and then stores nothing, or throws a `StorageError`.
	 * On PostgreSQL, `work` may run again if another transaction was first. Writes with the same `scope`, a company's
	 * uuid, run one after another on all nodes, as all writes do on SQLite. Writes without a scope must lock the rows
	 * they rely on.
	 */
	write<Result>(
		work: (db: Db) => Promise<Result>,
		scope?: string,
	): Promise<Result>;
	/** Hints that there may be new work for the dispatcher. Other processes receive the hint only on PostgreSQL. */
	wake(): void;
	/** Registers for `wake`. Returns the function that unregisters. */
	onWake(listener: () => void): () => void;
	/** Takes a lock that shows other workers that this one lives. */
	openWorkerLock(options: WorkerLockOptions): WorkerLock;
	close(): Promise<void>;
}

export interface WorkerLockOptions {
	/** Called when the lock was lost and is held again under another number: hands this worker's claims over to it. */
	readonly adopt: (fromId: number, toId: number) => Promise<void>;
	/** Called once if the lock cannot be had, so that only leases protect and end this worker's claims. */
	readonly onFault: (error: unknown) => void;
}

/** A lock that the database or the operating system frees when the worker's process dies (docs/dispatcher.md#when-a-worker-dies). */
export interface WorkerLock {
	/** The number to claim under. Null while it is not sure that the lock is held; then claims have only their lease. */
	readonly id: number | null;
	/** Settles when the lock is held for the first time, or cannot be had. */
	readonly ready: Promise<void>;
	/** Calls `release` with those of the numbers whose workers are surely dead. */
	releaseDead(
		ids: readonly number[],
		release: (deadIds: readonly number[]) => Promise<unknown>,
	): Promise<void>;
	close(): Promise<void>;
}
