import { PartnerType } from "@partnerwire/contract";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { RecordTables } from "./records.ts";

/**
 * Commissions of deals, the rules that give new deals a commission, and the payouts. A calculation is stored as the
 * JSON text that was parsed: `commissions/uses.ts` searches it for ids.
 */
export function defineCommissionTables(
	kit: ColumnKit,
	{ company, partner, deal }: AccessTables & RecordTables,
) {
	const companyUuid = () =>
		kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid);
	const times = () => ({
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});
	const dealUuid = () => kit.uuid("deal_uuid").references(() => deal.uuid);
	const calculation = () => kit.text("calculation").notNull();

	const dealCommission = kit.table(
		"deal_commission",
		{
			dealUuid: dealUuid().primaryKey(),
			companyUuid: companyUuid(),
			calculation: calculation(),
			...times(),
		},
		(t) => [kit.index("deal_commission_company").on(t.companyUuid)],
	);

	const commissionRule = kit.table(
		"commission_rule",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			companyUuid: companyUuid(),
			label: kit.text("label").notNull(),
			active: kit.bool("active").notNull(),
			partnerType: kit.oneOf(
				"partner_type",
				PartnerType.options as [PartnerType],
			),
			partnershipUuid: kit
				.uuid("partnership_uuid")
				.references(() => partner.uuid),
			calculation: calculation(),
			...times(),
		},
		(t) => [kit.index("commission_rule_list").on(t.companyUuid, t.createdAt)],
	);

	/**
	 * Marks an entry as paid, so that it is paid once: the entry at this place among those of the stage. The stage has no
	 * foreign key, because it may be deleted later.
	 */
	const commissionPayout = kit.table(
		"commission_payout",
		{
			id: kit.id(),
			dealUuid: dealUuid().notNull(),
			stageId: kit.int("stage_id").notNull(),
			place: kit.int("place").notNull(),
			createdAt: kit.time("created_at").notNull(),
		},
		(t) => [
			kit
				.uniqueIndex("commission_payout_entry")
				.on(t.dealUuid, t.stageId, t.place),
		],
	);

	return { dealCommission, commissionRule, commissionPayout };
}
