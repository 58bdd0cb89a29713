import { and, count, eq, notInArray, type SQLWrapper } from "drizzle-orm";
import type { Context } from "../../execute/context.ts";

/** What a calculation refers to by integer ids, as its JSON text has it: a comma follows each of them. */
const MEMBERS = {
	stage: "payment_stage_id",
	field: "customFieldId",
	option: "optionId",
} as const;

/** How many deals and rules have a commission that refers to a stage, a custom field or an option; without the deals of `counted`. */
export async function countCommissions(
	kind: keyof typeof MEMBERS,
	id: number,
	{ db, caller }: Pick<Context, "db" | "caller">,
	counted?: SQLWrapper,
): Promise<number> {
	const { dealCommission, commissionRule } = db.tables;
	const text = `"${MEMBERS[kind]}":${id},`;
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
					db.dialect.includes(table.calculation, text),
					condition,
				),
			);
		uses += found?.rows ?? 0;
	}
	return uses;
}
