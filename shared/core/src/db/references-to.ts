import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { tables } from "./sqlite/schema.ts";
import type { Tables } from "./tables.ts";

/** A column that refers to a record of another table. */
export interface ReferringColumn {
	readonly table: keyof Tables;
	/** As the table's definition names it. */
	readonly column: string;
}

const found = new Map<keyof Tables, ReferringColumn[]>();

/**
 * Every column that has a foreign key to the table: who asks what uses a record cannot forget one. Both engines have
 * the same keys, so SQLite's tables answer for both.
 */
export function referencesTo(name: keyof Tables): readonly ReferringColumn[] {
	const known = found.get(name);
	if (known) return known;
	const answer = (Object.keys(tables) as (keyof Tables)[]).flatMap((table) => {
		const columns = Object.entries(getTableColumns(tables[table]));
		return getTableConfig(tables[table]).foreignKeys.flatMap((key) => {
			const { foreignTable, columns: referring } = key.reference();
			return foreignTable === tables[name]
				? columns
						.filter(([, column]) => column === referring[0])
						.map(([column]) => ({ table, column }))
				: [];
		});
	});
	found.set(name, answer);
	return answer;
}
