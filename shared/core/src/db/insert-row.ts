import { sql } from "drizzle-orm";
import type { Db } from "./db.ts";
import { defineQuery } from "./prepared.ts";
import type { Tables } from "./tables.ts";

export type RowOf<Name extends keyof Tables> = Tables[Name]["$inferSelect"];
export type NewRowOf<Name extends keyof Tables> = Tables[Name]["$inferInsert"];

type Insert = (db: Db, values: Record<string, unknown>) => Promise<unknown>;

const inserts = new Map<string, Insert>();

/** Inserts one row by a prepared statement. */
export async function insertRow<Name extends keyof Tables>(
	db: Db,
	name: Name,
	row: NewRowOf<Name>,
): Promise<void> {
	await findInsert(name, row, "plain")(db, row);
}

/** Inserts one row of a table with an integer key, and answers the key that the database gave it. */
export async function insertNumbered<
	Name extends "event" | "integration" | "integrationConfiguration",
>(db: Db, name: Name, row: NewRowOf<Name>): Promise<number> {
	const inserted = await findInsert(name, row, "numbered")(db, row);
	return (inserted as [{ id: number }])[0].id;
}

function findInsert(
	name: keyof Tables,
	row: Record<string, unknown>,
	kind: "plain" | "numbered",
): Insert {
	const members = Object.keys(row).filter(
		(member) => row[member] !== undefined,
	);
	const shape = `${kind}_${name}(${members.join()})`;
	let insert = inserts.get(shape);
	if (!insert) {
		insert = defineInsert(name, members, kind);
		inserts.set(shape, insert);
	}
	return insert;
}

function defineInsert(
	name: keyof Tables,
	members: string[],
	kind: "plain" | "numbered",
): Insert {
	return defineQuery<unknown>(
		`insert_${kind}_${name}_${members.length}`,
		(db) => {
			const table = db.tables[name];
			const values = Object.fromEntries(
				members.map((member) => [member, sql.placeholder(member)]),
			);
			const insert = db.query.insert(table).values(values as never);
			// RETURNING costs 2 to 3 µs, so only those who need the key ask for it.
			return kind === "numbered" && "id" in table
				? insert.returning({ id: table.id })
				: insert;
		},
	);
}
