import { PgDialect } from "drizzle-orm/pg-core";
import type { Preparable, Values } from "../db.ts";
import { toFill } from "../fill-parameters.ts";
import { createRowReader, type PreparedByDrizzle } from "../row-reader.ts";

/** Executes one statement; the rows are arrays of column values. */
export type RunStatement = (
	text: string,
	values: unknown[],
	/** The name of a statement that may be kept prepared. */
	name?: string,
) => Promise<unknown[][]>;

const dialect = new PgDialect();

/**
 * Compiles a Drizzle query once into a statement that is then only executed, as `sqlite/compile.ts` does. Constants are
 * written into the statement: a plan for any value of a parameter could not use a partial index.
 */
export function compileQuery(
	name: string,
	query: Preparable<unknown>,
	run: RunStatement,
	defaults: Values,
): (values: Values) => Promise<unknown[]> {
	const { fields, joinsNotNullableMap } = query.prepare(
		name,
	) as PreparedByDrizzle;
	const { sql, params } = dialect.sqlToQuery(query.getSQL().inlineParams());
	const fill = toFill(params, defaults);
	const toRow = fields && createRowReader(fields, joinsNotNullableMap ?? {});
	return async (values) => {
		const rows = await run(sql, fill(values), name);
		return toRow ? rows.map(toRow) : [];
	};
}
