// The values of a row in a statement: one parameter for each, or the columns of a list (see `Dialect.rowsOf`). A rule that
// is written for one row then also works for many.
import { type SQL, sql } from "drizzle-orm";
import type { ColumnTypes } from "./dialect.ts";

type ValuesOf<Columns extends ColumnTypes> = Record<keyof Columns, SQL>;

/** A placeholder for each column. */
export const toParameters = <Columns extends ColumnTypes>(
	columns: Columns,
): ValuesOf<Columns> =>
	mapColumns(columns, (column) => sql`${sql.placeholder(column)}`);

/** The columns of a table that `rowsOf` makes. */
export const toColumns = <Columns extends ColumnTypes>(
	table: string,
	columns: Columns,
): ValuesOf<Columns> =>
	mapColumns(columns, (column) => sql.raw(`${table}."${column}"`));

const mapColumns = <Columns extends ColumnTypes>(
	columns: Columns,
	toValue: (column: string) => SQL,
) =>
	Object.fromEntries(
		Object.keys(columns).map((column) => [column, toValue(column)]),
	) as ValuesOf<Columns>;
