import type { CommissionCalculation } from "@partnerwire/contract/pricing";
import { and, desc, eq, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { defineQuery } from "../db/prepared.ts";
import { partnerTypeOf } from "../partners/partner-type-of.ts";

const findActive = defineQuery(
	"active_commission_rules",
	({ query, tables: { commissionRule } }) =>
		query
			.select()
			.from(commissionRule)
			.where(
				and(
					eq(commissionRule.companyUuid, sql.placeholder("companyUuid")),
					eq(commissionRule.active, true),
				),
			)
			.orderBy(desc(commissionRule.createdAt), desc(commissionRule.uuid)),
);

/**
 * The calculation of the active rule that fits a partner best: a rule for this partner, else for its type, else for
 * all; of several, the newest. Null if no rule fits.
 */
export async function findRuleFor(
	partnershipUuid: string,
	context: Context,
): Promise<CommissionCalculation | null> {
	const { companyUuid } = context.caller;
	const rules = await findActive(context.db, { companyUuid });
	if (rules.length === 0) return null;
	const type = await partnerTypeOf(partnershipUuid, context);
	const fitting = rules.filter(
		(rule) =>
			(rule.partnershipUuid ?? partnershipUuid) === partnershipUuid &&
			(rule.partnerType ?? type) === type,
	);
	const best =
		fitting.find((rule) => rule.partnershipUuid !== null) ??
		fitting.find((rule) => rule.partnerType !== null) ??
		fitting[0];
	return best ? JSON.parse(best.calculation) : null;
}
