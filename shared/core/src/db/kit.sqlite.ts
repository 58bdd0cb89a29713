import {
	index,
	integer,
	real,
	sqliteTable,
	text,
	uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** The column kit on SQLite. Times are integers: milliseconds since the epoch. */
export const sqliteKit = {
	table: sqliteTable,
	index,
	uniqueIndex,
	/** An integer key that the database assigns. */
	id: () => integer("id").primaryKey(),
	uuid: (name: string) => text(name),
	text: (name: string) => text(name),
	int: (name: string) => integer(name),
	number: (name: string) => real(name),
	bool: (name: string) => integer(name, { mode: "boolean" }),
	time: (name: string) => integer(name),
	json: <Value>(name: string) => text(name, { mode: "json" }).$type<Value>(),
	oneOf: <const Values extends readonly [string, ...string[]]>(
		name: string,
		_values: Values,
	) => text(name).$type<Values[number]>(),
};

/** The functions of a column kit. SQLite's types are used for both engines. */
export type ColumnKit = typeof sqliteKit;
