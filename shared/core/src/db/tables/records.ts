import { LeadDirection, LeadStatus, PartnerType } from "@partnerwire/contract";
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { ConfigurationTables } from "./configuration.ts";

/** Partners, leads, deals and their notes. The indexes for lists are in the migration list-cost. */
export function defineRecordTables(
	kit: ColumnKit,
	{
		company,
		user,
		stage,
		tier,
		category,
		currency,
	}: AccessTables & ConfigurationTables,
) {
	const record = () => ({
		uuid: kit.uuid("uuid").primaryKey(),
		companyUuid: kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});
	const archivable = () => ({
		...record(),
		archivedAt: kit.time("archived_at"),
	});
	const stageId = (name: string) => kit.int(name).references(() => stage.id);

	const partner = kit.table(
		"partner",
		{
			...archivable(),
			name: kit.text("name").notNull(),
			email: kit.text("email"),
			phoneNumber: kit.text("phone_number"),
			websiteUrl: kit.text("website_url"),
			description: kit.text("description"),
			partnerType: kit
				.oneOf("partner_type", PartnerType.options as [PartnerType])
				.notNull(),
			stageId: stageId("stage_id"),
			tierId: kit.int("tier_id").references(() => tier.id),
			categoryId: kit.int("category_id").references(() => category.id),
			acceptedAt: kit.time("accepted_at"),
			invitedAt: kit.time("invited_at"),
			/** The distributor of a reseller; at most one (docs/decisions.md#resellers). */
			distributorUuid: kit
				.uuid("distributor_uuid")
				.references((): AnySQLiteColumn => partner.uuid),
		},
		(t) => [
			kit.index("partner_distributor").on(t.distributorUuid, t.createdAt),
			kit.index("partner_stage").on(t.stageId),
			kit.index("partner_tier").on(t.tierId),
			kit.index("partner_category").on(t.categoryId),
		],
	);

	const partnership = (name: string) =>
		kit.uuid(name).references(() => partner.uuid);

	const lead = kit.table(
		"lead",
		{
			...archivable(),
			partnershipUuid: partnership("partnership_uuid").notNull(),
			distributorUuid: partnership("distributor_uuid"),
			companyName: kit.text("company_name"),
			email: kit.text("email"),
			firstName: kit.text("first_name"),
			lastName: kit.text("last_name"),
			phoneNumber: kit.text("phone_number"),
			website: kit.text("website"),
			status: kit.oneOf("status", LeadStatus.options as [LeadStatus]).notNull(),
			source: kit.text("source"),
			direction: kit.oneOf(
				"direction",
				LeadDirection.options as [LeadDirection],
			),
			stageId: stageId("stage_id"),
		},
		(t) => [kit.index("lead_partnership").on(t.partnershipUuid, t.createdAt)],
	);

	const deal = kit.table(
		"deal",
		{
			...archivable(),
			leadUuid: kit
				.uuid("lead_uuid")
				.notNull()
				.references(() => lead.uuid),
			partnershipUuid: partnership("partnership_uuid").notNull(),
			label: kit.text("label").notNull(),
			dealValue: kit.number("deal_value"),
			/** The sum of the deal's commission; null without one. */
			totalCommissionValue: kit.number("total_commission_value"),
			currencyId: kit.int("currency_id").references(() => currency.id),
			stageId: stageId("stage_id"),
			paymentStageId: stageId("payment_stage_id"),
			expirationDate: kit.text("expiration_date"),
		},
		(t) => [
			kit.index("deal_lead").on(t.leadUuid),
			kit.index("deal_partnership").on(t.partnershipUuid, t.createdAt),
		],
	);

	const note = kit.table(
		"note",
		{
			...record(),
			partnerUuid: partnership("partner_uuid"),
			leadUuid: kit.uuid("lead_uuid").references(() => lead.uuid),
			dealUuid: kit.uuid("deal_uuid").references(() => deal.uuid),
			authorUuid: kit
				.uuid("author_uuid")
				.notNull()
				.references(() => user.uuid),
			content: kit.text("content").notNull(),
		},
		(t) => [
			kit.index("note_partner").on(t.partnerUuid, t.createdAt),
			kit.index("note_lead").on(t.leadUuid, t.createdAt),
			kit.index("note_deal").on(t.dealUuid, t.createdAt),
		],
	);

	return { partner, lead, deal, note };
}

export type RecordTables = ReturnType<typeof defineRecordTables>;
