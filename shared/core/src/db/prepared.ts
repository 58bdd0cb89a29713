import type { Db, Query } from "./db.ts";

interface Prepared<Result> {
	execute(values?: Record<string, unknown>): Promise<Result>;
}

interface Preparable<Result> extends PromiseLike<Result> {
	// PostgreSQL wants a name, SQLite takes none: both are satisfied by passing it.
	prepare(name?: string): unknown;
}

/**
 * Declares a query that is built once per connection and then only executed: an unprepared drizzle query costs eight
 * times its prepared twin (../shared/versions.md). Values are `sql.placeholder(name)`.
 */
export function defineQuery<Result>(
	name: string,
	build: (db: Db) => Preparable<Result>,
): (db: Db, values?: Record<string, unknown>) => Promise<Result> {
	const perConnection = new WeakMap<Query, Prepared<Result>>();
	return (db, values) => {
		let prepared = perConnection.get(db.query);
		if (!prepared) {
			prepared = build(db).prepare(name) as Prepared<Result>;
			perConnection.set(db.query, prepared);
		}
		return prepared.execute(values);
	};
}
