import type Sqlite from "better-sqlite3";
import { Column, is, Param, Placeholder } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { Preparable } from "./db.ts";
import { createRowReader, type PreparedByDrizzle } from "./row-reader.ts";

const dialect = new SQLiteAsyncDialect();

type Values = Readonly<Record<string, unknown>>;
type Convert = (value: unknown) => unknown;

/**
 * Turns a query that drizzle has built into one call of a prepared statement. drizzle's own session takes 8 to 15 µs for
 * each execution, several times what SQLite takes, and the delivery of one event executes nine statements.
 * Constants are written into the statement: SQLite built with STAT4, as better-sqlite3's is, prepares a statement anew for
 * each value that is bound to a LIMIT or compared with the condition of a partial index (0.5 µs become 11).
 */
export function compileQuery(
	query: Preparable<unknown>,
	prepare: (sql: string) => Sqlite.Statement,
): (values: Values) => unknown[] {
	const { fields, joinsNotNullableMap } = query.prepare() as PreparedByDrizzle;
	const { sql, params } = dialect.sqlToQuery(query.getSQL().inlineParams());
	const statement = prepare(sql);
	const fill = toFill(params);
	if (!fields) {
		return (values) => {
			statement.run(fill(values));
			return [];
		};
	}
	const toRow = createRowReader(fields, joinsNotNullableMap ?? {});
	return (values) => (statement.all(fill(values)) as unknown[][]).map(toRow);
}

/** A statement's parameters: named values, each with the conversion of its column. */
function toFill(params: readonly unknown[]) {
	const sources = params.map((param) => {
		const placeholder = is(param, Param) ? param.value : param;
		if (!is(placeholder, Placeholder))
			throw new TypeError("a constant was left in the statement");
		return { name: placeholder.name, encode: toEncoder(param) };
	});
	return (values: Values): unknown[] =>
		sources.map(({ name, encode }) => {
			const value = values[name];
			if (value === undefined)
				throw new TypeError(`the query needs a value for ${name}`);
			return encode && value !== null ? encode(value) : value;
		});
}

/** Null for values that are bound as they are. */
function toEncoder(param: unknown): Convert | null {
	if (!is(param, Param)) return null;
	const { encoder } = param;
	const isAsGiven =
		encoder instanceof Column &&
		encoder.mapToDriverValue === Column.prototype.mapToDriverValue;
	return isAsGiven ? null : (value) => encoder.mapToDriverValue(value);
}
