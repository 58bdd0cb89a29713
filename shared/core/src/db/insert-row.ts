import { sql } from "drizzle-orm";
import type { Db } from "./db.ts";
import { defineQuery } from "./prepared.ts";
import type { Tables } from "./tables.ts";

export type RowOf<Name extends keyof Tables> = Tables[Name]["$inferSelect"];
export type NewRowOf<Name extends keyof Tables> = Tables[Name]["$inferInsert"];

type Insert = (db: Db, values: Record<string, unknown>) => Promise<unknown[]>;

const inserts = new Map<string, Insert>();

/** Inserts one row by a prepared statement and answers the integer key that the database gave it, if it gives one. */
export async function insertRow<Name extends keyof Tables>(
	db: Db,
	name: Name,
	row: NewRowOf<Name>,
): Promise<number> {
	const members = Object.keys(row).filter(
		(member) => row[member as keyof typeof row] !== undefined,
	);
	const shape = `${name}(${members.join()})`;
	let insert = inserts.get(shape);
	if (!insert) {
		insert = defineInsert(name, members);
		inserts.set(shape, insert);
	}
	const [inserted] = (await insert(db, row)) as { id: number }[];
	return inserted?.id ?? 0;
}

function defineInsert(name: keyof Tables, members: string[]): Insert {
	return defineQuery(`insert_${name}_${members.length}`, (db) => {
		const table = db.tables[name];
		const values = Object.fromEntries(
			members.map((member) => [member, sql.placeholder(member)]),
		);
		const id = "id" in table ? table.id : sql<number>`0`;
		return db.query
			.insert(table)
			.values(values as never)
			.returning({ id });
	}) as Insert;
}
