import {
	bigint,
	boolean,
	customType,
	doublePrecision,
	index,
	jsonb,
	pgTable,
	uniqueIndex,
	uuid,
} from "drizzle-orm/pg-core";
import type { ColumnKit } from "./kit.sqlite.ts";

/** Text ordered by code points, as on SQLite, whatever the database's locale. */
const text = customType<{ data: string }>({
	dataType: () => 'text COLLATE "C"',
});
const int = (name: string) => bigint(name, { mode: "number" });

/**
 * The column kit on PostgreSQL. The two engines' builders have the same shape but nominally different types: this cast
 * is the only place that equates them.
 */
export const postgresKit = {
	table: pgTable,
	index,
	uniqueIndex,
	id: () => int("id").primaryKey().generatedByDefaultAsIdentity(),
	uuid,
	text,
	int,
	number: doublePrecision,
	bool: boolean,
	time: int,
	json: <Value>(name: string) => jsonb(name).$type<Value>(),
	oneOf: <const Values extends readonly [string, ...string[]]>(
		name: string,
		_values: Values,
	) => text(name).$type<Values[number]>(),
} as unknown as ColumnKit;
