import { getTableColumns, sql } from "drizzle-orm";
import type { Db } from "./db.ts";
import { defineQuery } from "./prepared.ts";
import type { Tables } from "./tables.ts";

export type RowOf<Name extends keyof Tables> = Tables[Name]["$inferSelect"];
export type NewRowOf<Name extends keyof Tables> = Tables[Name]["$inferInsert"];

type Insert = (db: Db, row: Record<string, unknown>) => Promise<unknown>;

const inserts = new Map<string, Insert>();

/** Inserts one row with a prepared statement. Missing members take the column's default, or null. */
export async function insertRow<Name extends keyof Tables>(
	db: Db,
	name: Name,
	row: NewRowOf<Name>,
): Promise<void> {
	await insertColumns(db, name, row);
}

/** Inserts a row whose table only the caller's caller knows: the compiler does not check its columns. */
export async function insertColumns(
	db: Db,
	name: keyof Tables,
	row: object,
): Promise<void> {
	await findInsert(db, name, "plain")(db, row as Record<string, unknown>);
}

/** The row as `insertColumns` stores it: missing members have the column's default, or null. */
export const toStoredRow = (
	{ tables }: Db,
	name: keyof Tables,
	row: object,
): object =>
	Object.fromEntries(
		findColumns(tables[name]).map(([member, otherwise]) => {
			const value = row[member as keyof typeof row];
			return [member, value === undefined ? otherwise : value];
		}),
	);

/** Inserts one row of a table with an integer key. Returns the key that the database assigned. */
export async function insertNumbered<
	Name extends
		| "event"
		| "integration"
		| "integrationConfiguration"
		| "customFieldValues",
>(db: Db, name: Name, row: NewRowOf<Name>): Promise<number> {
	const inserted = await findInsert(db, name, "numbered")(db, row);
	return (inserted as [{ id: number }])[0].id;
}

type Kind = "plain" | "numbered";

function findInsert(db: Db, name: keyof Tables, kind: Kind): Insert {
	const key = `${kind}_${name}`;
	let insert = inserts.get(key);
	if (!insert) {
		insert = defineInsert(db, name, kind);
		inserts.set(key, insert);
	}
	return insert;
}

/** The columns of a new row with their defaults. The database assigns integer keys. */
const findColumns = (table: Tables[keyof Tables]): [string, unknown][] =>
	Object.entries(getTableColumns(table))
		.filter(([, { primary, dataType }]) => !(primary && dataType === "number"))
		.map(([member, column]) => [member, column.default ?? null]);

function defineInsert({ tables }: Db, name: keyof Tables, kind: Kind): Insert {
	const columns = findColumns(tables[name]);
	const build = (db: Db) => {
		const table = db.tables[name];
		const values = Object.fromEntries(
			columns.map(([member]) => [member, sql.placeholder(member)]),
		);
		// The values have a placeholder for each column, which the builder takes at run time and not in its types.
		const insert = db.query.insert(table).values(values as never);
		// RETURNING costs 2 to 3 µs, so it is used only where the key is needed.
		return kind === "numbered" && "id" in table
			? insert.returning({ id: table.id })
			: insert;
	};
	return defineQuery<unknown>(
		`insert_${kind}_${name}`,
		build,
		Object.fromEntries(columns),
	);
}
