import type { Db, Execute, Preparable, Query } from "./db.ts";

/**
 * Declares a query that is built once per connection and then only executed: an unprepared drizzle query costs eight
 * times its prepared twin (../shared/versions.md). Values are `sql.placeholder(name)`.
 */
export function defineQuery<Result>(
	name: string,
	build: (db: Db) => Preparable<Result>,
): (db: Db, values?: Readonly<Record<string, unknown>>) => Promise<Result> {
	const perConnection = new WeakMap<Query, Execute<Result>>();
	return (db, values = {}) => {
		let execute = perConnection.get(db.query);
		if (!execute) {
			execute = db.prepare(name, build(db));
			perConnection.set(db.query, execute);
		}
		return execute(values);
	};
}
