import type Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { LRUCache } from "lru-cache";
import { foldText } from "../../values/fold-case.ts";
import { type Random, systemRandom } from "../../values/random.ts";
import type { Db, Execute, Preparable, Values } from "../db.ts";
import { sqliteDialect } from "../dialect.ts";
import { compileQuery } from "./compile.ts";
import { openSqliteFile } from "./driver.ts";
import { tables } from "./schema.ts";

/** Statements kept prepared per connection. Beyond it, the least recently used is dropped. */
const MAX_STATEMENTS = 500;

/** Opens one connection. */
export function openSqliteConnection(
	path: string,
	{ readonly = false }: { readonly?: boolean } = {},
): Sqlite.Database {
	// No wait inside better-sqlite3, which would block the event loop: `group-commit.ts` waits for locks.
	const raw = openSqliteFile(path, { readonly, timeout: 0 });
	raw.function("fold", { deterministic: true }, (text) =>
		typeof text === "string" ? foldText(text) : null,
	);
	return raw;
}

/**
 * Creates the `Db` of a connection. `onFault` receives every error that a statement throws. With `durable`, rows are
 * returned only once the promise it gives after a statement, if any, is fulfilled.
 */
export function createSqliteDb(
	raw: Sqlite.Database,
	options: {
		onFault?: (error: unknown) => void;
		durable?: () => Promise<void> | undefined;
		random?: Random | undefined;
	} = {},
): Db {
	const prepare = (sql: string): Sqlite.Statement => {
		const statement = raw.prepare(sql);
		return statement.reader ? statement.raw(true) : statement;
	};
	const statements = new LRUCache<string, Sqlite.Statement>({
		max: MAX_STATEMENTS,
		memoMethod: prepare,
	});
	const prepareOnce = (sql: string) => statements.memo(sql);

	async function run<Result>(execute: () => Result): Promise<Result> {
		const result = reportFault(execute);
		const pending = options.durable?.();
		if (pending) await pending;
		return result;
	}

	function reportFault<Result>(execute: () => Result): Result {
		try {
			return execute();
		} catch (error) {
			options.onFault?.(error);
			throw error;
		}
	}

	const query = drizzle((sql, params, method) =>
		run(() => {
			const statement = prepareOnce(sql);
			if (!statement.reader) {
				statement.run(params);
				return { rows: [] };
			}
			if (method === "get") return { rows: statement.get(params) as unknown[] };
			return { rows: statement.all(params) };
		}),
	);

	function prepareQuery<Result>(
		_name: string,
		built: Preparable<Result>,
		defaults: Values,
	): Execute<Result> {
		let execute: ReturnType<typeof compileQuery> | undefined;
		return (values) =>
			run(() => {
				execute ??= compileQuery(built, prepare, defaults);
				return execute(values) as Result;
			});
	}

	return {
		query,
		tables,
		dialect: sqliteDialect,
		random: options.random ?? systemRandom,
		postgres: null,
		prepare: prepareQuery,
	};
}
