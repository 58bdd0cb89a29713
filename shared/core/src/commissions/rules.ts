import type { PartnershipRef } from "@partnerwire/contract";
import type {
	Commission,
	CommissionUpdate,
} from "@partnerwire/contract/pricing";
import { eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenContains, whenEqual } from "../resource/conditions.ts";
import { createRecords } from "../resource/create-records.ts";
import type { References } from "../resource/references.ts";
import { toPartnerRef } from "../resource/to-ref.ts";
import { toTimes } from "../values/times.ts";
import { checkCalculation } from "./check-calculation.ts";

/** Selects commission rules with their partner (docs/decisions.md#commission-rules). */
const selectRules = ({ query, tables: { commissionRule, partner } }: Db) =>
	query
		.select({ row: commissionRule, partnership: toPartnerRef(partner) })
		.from(commissionRule)
		.leftJoin(partner, eq(partner.uuid, commissionRule.partnershipUuid))
		.$dynamic();

interface RuleRow {
	row: RowOf<"commissionRule">;
	partnership: PartnershipRef | null;
}

const toRule = ({ row, partnership }: RuleRow): Commission => ({
	uuid: row.uuid,
	label: row.label,
	active: row.active,
	partner_type: row.partnerType,
	partnership,
	calculation: JSON.parse(row.calculation),
	...toTimes(row),
});

const rules = createRecords({
	table: "commissionRule",
	entity: "commission_rule",
	noun: "commission rule",
	select: selectRules,
	defaults: { active: true },
	toShown: toRule,
	toColumns,
});

async function toColumns(
	body: CommissionUpdate,
	references: References,
	{ context, row }: { context: Context; row: RuleRow["row"] | undefined },
): Promise<Partial<RuleRow["row"]>> {
	const { partnership_uuid, calculation } = body;
	await references.find("partner", "partnership_uuid", partnership_uuid);
	references.refuseInvalid();
	const stored = row ? JSON.parse(row.calculation) : null;
	if (calculation) await checkCalculation(calculation, stored, context);
	return {
		label: body.label,
		active: body.active,
		partnerType: body.partner_type,
		partnershipUuid: partnership_uuid,
		calculation: calculation && JSON.stringify(calculation),
	};
}

/** The operations on commission rules. */
export const commissionRuleHandlers = {
	listCommissions: ({ query }, context) => {
		const { db } = context;
		const { commissionRule } = db.tables;
		return rules.list(query, context, {
			conditions: [
				whenEqual(commissionRule.active, query.active),
				whenEqual(commissionRule.partnerType, query.partner_type),
				whenEqual(commissionRule.partnershipUuid, query.partnership_uuid),
				whenContains(db, [commissionRule.label], query.search),
			],
			sortable: { label: commissionRule.label },
		});
	},
	getCommission: rules.handlers.get,
	createCommission: rules.handlers.create,
	updateCommission: rules.handlers.update,
	deleteCommission: rules.handlers.remove,
} satisfies Partial<Handlers>;
