import type { SQL } from "drizzle-orm";
import type { SqliteRemoteDatabase } from "drizzle-orm/sqlite-proxy";
import type { Random } from "../values/random.ts";
import type { Dialect } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** drizzle's query builder; SQLite's types stand for both engines. */
export type Query = SqliteRemoteDatabase<Record<string, never>>;

/** What domain code reads and writes through: the same on both engines. Await a builder; never call `.get()` or `.all()`. */
export interface Db {
	readonly query: Query;
	readonly tables: Tables;
	readonly dialect: Dialect;
	/** Where the ids of new rows and secrets come from. */
	readonly random: Random;
	/** Whole statements of PostgreSQL, for many rows at once; null on SQLite, where a statement costs microseconds. */
	readonly postgres: PostgresStatements | null;
	/** Prepares a built query for many executions; use `defineQuery`, which does it once per connection. */
	prepare<Result>(
		name: string,
		query: Preparable<Result>,
		defaults: Values,
	): Execute<Result>;
}

/** A query of drizzle's builder. PostgreSQL wants a name for a prepared one, SQLite takes none. */
export interface Preparable<Result> extends PromiseLike<Result> {
	prepare(name?: string): unknown;
	getSQL(): SQL;
}

/** Runs a statement with parameters `$1` and so on; the name is its own, and may be kept prepared. */
export type PostgresStatements = <Row>(
	name: string,
	text: string,
	values: unknown[],
) => Promise<Row[]>;

/** Values of placeholders by name. */
export type Values = Readonly<Record<string, unknown>>;

/** Executes a prepared query; a placeholder that has neither a value nor a default is an error. */
export type Execute<Result> = (values: Values) => Promise<Result>;

/** A database: reads that never wait for a transaction, and writes; of both only what is durable is answered. */
export interface Store {
	readonly dialect: Dialect;
	readonly tables: Tables;
	readonly read: Db;
	/**
	 * Reads whose rows may not be on the disk yet: for what the process decides for itself, and asks again in a write. What is
	 * told to anybody is read through `read`.
	 */
	readonly readUnsynced: Db;
	/**
	 * Runs `work` atomically. It must not wait for the network or a timer, and must not call `write` again.
	 * Throws what `work` throws (nothing of it is then stored), or a `StorageError`. On PostgreSQL `work` may run again
	 * when another transaction was first, and writes of the same `scope`, a company's uuid, happen one after another on all
	 * nodes, as all writes do on SQLite; those without scope must lock what they look at.
	 */
	write<Result>(
		work: (db: Db) => Promise<Result>,
		scope?: string,
	): Promise<Result>;
	/** Says that there may be new work for the dispatcher: a hint, which other processes see on PostgreSQL alone. */
	wake(): void;
	/** Registers for `wake`; answers how to stop. */
	onWake(listener: () => void): () => void;
	close(): Promise<void>;
}
