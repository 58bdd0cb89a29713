import type { PartnershipRef } from "@partnerwire/contract";
import type {
	Commission,
	CommissionUpdate,
} from "@partnerwire/contract/pricing";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenContains, whenEqual } from "../resource/conditions.ts";
import { createRecords } from "../resource/create-records.ts";
import { listPage } from "../resource/list-page.ts";
import { createReferences, type References } from "../resource/references.ts";
import { toTimes } from "../values/times.ts";
import { checkCalculation } from "./check-calculation.ts";

/** Selects commission rules with their partner (docs/decisions.md#commission-rules). */
const selectRules = ({ query, tables: { commissionRule, partner } }: Db) =>
	query
		.select({
			row: commissionRule,
			partnership: {
				uuid: partner.uuid,
				name: partner.name,
				partner_type: partner.partnerType,
			},
		})
		.from(commissionRule)
		.leftJoin(partner, eq(partner.uuid, commissionRule.partnershipUuid))
		.$dynamic();

interface RuleRow {
	row: RowOf<"commissionRule">;
	partnership: PartnershipRef | null;
}

const findRule = defineQuery("commission_rule_by_uuid", (db) =>
	selectRules(db).where(
		and(
			eq(db.tables.commissionRule.uuid, sql.placeholder("uuid")),
			eq(db.tables.commissionRule.companyUuid, sql.placeholder("companyUuid")),
		),
	),
);

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
	find: findRule,
	attach: async () => () => null,
	toShown: toRule,
	toColumns,
});

async function toColumns(
	body: CommissionUpdate,
	references: References,
	context: Context,
): Promise<Partial<RuleRow["row"]>> {
	const { partnership_uuid, calculation } = body;
	await references.find("partner", "partnership_uuid", partnership_uuid);
	references.refuseInvalid();
	const { changing } = references as { changing?: RuleRow["row"] };
	const stored = changing ? JSON.parse(changing.calculation) : null;
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
	listCommissions: ({ query }, { db, caller }) => {
		const { commissionRule } = db.tables;
		const { active } = query;
		return listPage(db, query, {
			table: commissionRule,
			query: selectRules(db),
			conditions: [
				eq(commissionRule.companyUuid, caller.companyUuid),
				active === undefined ? undefined : eq(commissionRule.active, active),
				whenEqual(commissionRule.partnerType, query.partner_type),
				whenEqual(commissionRule.partnershipUuid, query.partnership_uuid),
				whenContains(db, [commissionRule.label], query.search),
			],
			sortable: { label: commissionRule.label },
			toItems: (rows) => rows.map(toRule),
		});
	},
	getCommission: rules.handlers.get,
	createCommission: async ({ body }, context) => {
		const columns = await toColumns(body, createReferences(context), context);
		return rules.create({ ...columns, active: body.active ?? true }, context);
	},
	updateCommission: rules.handlers.update,
	deleteCommission: async ({ params }, context) =>
		rules.remove(await rules.read(params.uuid, context), context),
} satisfies Partial<Handlers>;
