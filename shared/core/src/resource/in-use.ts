import { ApiError } from "@partnerwire/contract";
import { type AnyColumn, count, eq, getTableColumns } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { referencesTo } from "../db/references-to.ts";
import type { Tables } from "../db/tables.ts";

/** Counts the records that refer to a record by a foreign key, archived ones included. */
export async function countReferences(
	db: Db,
	name: keyof Tables,
	uuid: string,
): Promise<number> {
	let uses = 0;
	for (const { table, column } of referencesTo(name)) {
		const referring = db.tables[table];
		const columns: Record<string, AnyColumn> = getTableColumns(referring);
		const [counted] = await db.query
			.select({ rows: count() })
			.from(referring)
			.where(eq(columns[column] as AnyColumn, uuid));
		uses += counted?.rows ?? 0;
	}
	return uses;
}

/** Throws a 409 if anything uses the record (docs/contract.md#errors). */
export function refuseUsed(
	{ noun, name }: { noun: string; name: string },
	uses: number,
): void {
	if (uses === 0) return;
	const records = uses === 1 ? "1 record" : `${uses} records`;
	throw new ApiError(
		"conflict",
		`the ${noun} "${name}" is used by ${records}; reassign them before deleting it`,
	);
}
