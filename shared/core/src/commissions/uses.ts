import { and, count, eq, notInArray, type SQLWrapper } from "drizzle-orm";
import type { Context } from "../context/context.ts";

/** How references look in the JSON text of a calculation: integer ids, each followed by a comma, and uuids. */
export const referenceTo = {
	stage: (id: number) => `"payment_stage_id":${id},`,
	field: (id: number) => `"customFieldId":${id},`,
	option: (id: number) => `"optionId":${id},`,
	/** A currency, or the document of an override. */
	record: (uuid: string) => `"uuid":"${uuid}"`,
} as const;

/** Counts the deals and rules whose commission holds a reference of `referenceTo`. The deals of `counted` are left out. */
export async function countCommissions(
	reference: string,
	{ db, caller }: Pick<Context, "db" | "caller">,
	counted?: SQLWrapper,
): Promise<number> {
	const { dealCommission, commissionRule } = db.tables;
	const isNew = counted && notInArray(dealCommission.dealUuid, counted);
	const tables = [
		{ table: dealCommission, condition: isNew },
		{ table: commissionRule, condition: undefined },
	];
	let uses = 0;
	for (const { table, condition } of tables) {
		const [found] = await db.query
			.select({ rows: count() })
			.from(table)
			.where(
				and(
					eq(table.companyUuid, caller.companyUuid),
					db.dialect.includes(table.calculation, reference),
					condition,
				),
			);
		uses += found?.rows ?? 0;
	}
	return uses;
}
