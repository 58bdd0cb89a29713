import { type AnyColumn, eq, getTableColumns } from "drizzle-orm";
import type { Api } from "#kit/program/api.ts";

/** The name of every record of a company once names are planted. */
export const PLANTED = "Planted by the other company";

const NAMES =
	/^(label|name|title|companyName|firstName|lastName|url|fileName|content)$/;

/** Gives all records of a company a name that nothing of another company has: seeded ones are called alike in all. */
export async function plantNames(
	{ service }: Api,
	companyUuid: string,
): Promise<void> {
	await service.store.write(async ({ query, tables }) => {
		for (const table of Object.values(tables)) {
			const columns: Record<string, AnyColumn> = getTableColumns(table);
			const names = Object.keys(columns).filter((name) => NAMES.test(name));
			if (!columns.companyUuid || names.length === 0) continue;
			await query
				.update(table)
				.set(Object.fromEntries(names.map((name) => [name, PLANTED])))
				.where(eq(columns.companyUuid, companyUuid));
		}
	});
}
