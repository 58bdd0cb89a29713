import { getTableColumns } from "drizzle-orm";
import { getTableConfig } from "drizzle-orm/sqlite-core";
import { tables } from "./sqlite/schema.ts";
import type { Tables } from "./tables.ts";

/** A column that refers to a record of another table. */
export interface ReferringColumn {
	readonly table: keyof Tables;
	/** The column's name in the table's definition. */
	readonly column: string;
}

const columnsByTable = new Map<keyof Tables, ReferringColumn[]>();

/**
 * Finds every column with a foreign key to the table, so that a check of what uses a record cannot miss one. Both
 * engines have the same keys, so SQLite's tables serve for both.
 */
export function referencesTo(name: keyof Tables): readonly ReferringColumn[] {
	const known = columnsByTable.get(name);
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
	columnsByTable.set(name, answer);
	return answer;
}
