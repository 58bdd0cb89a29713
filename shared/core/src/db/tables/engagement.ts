import type {
	AutomationAction,
	AutomationCondition,
} from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { GroupTables } from "./groups.ts";
import type { RecordTables } from "./records.ts";

/** Agreements, campaigns, cards and automations. Columns are named after the members in the contract. */
export function defineEngagementTables(
	kit: ColumnKit,
	{ company, asset, partner }: AccessTables & GroupTables & RecordTables,
) {
	const plain = () => ({
		uuid: kit.uuid("uuid").primaryKey(),
		companyUuid: kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});
	const assetUuid = () => kit.uuid("asset_uuid").references(() => asset.uuid);
	const status = () => kit.text("status").notNull();

	const agreementTemplate = kit.table(
		"agreement_template",
		{
			...plain(),
			label: kit.text("label").notNull(),
			content: kit.text("content"),
			assetUuid: assetUuid(),
			status: status(),
		},
		(t) => [
			kit.index("agreement_template_list").on(t.companyUuid, t.createdAt),
			kit.index("agreement_template_asset").on(t.assetUuid),
		],
	);

	const agreement = kit.table(
		"agreement",
		{
			...plain(),
			label: kit.text("label").notNull(),
			partnershipUuid: kit
				.uuid("partnership_uuid")
				.notNull()
				.references(() => partner.uuid),
			templateUuid: kit
				.uuid("template_uuid")
				.references(() => agreementTemplate.uuid),
			assetUuid: assetUuid(),
			status: status(),
			signedAt: kit.time("signed_at"),
			expirationDate: kit.text("expiration_date"),
		},
		(t) => [
			kit.index("agreement_list").on(t.companyUuid, t.createdAt),
			kit.index("agreement_partnership").on(t.partnershipUuid, t.createdAt),
			kit.index("agreement_of_template").on(t.templateUuid),
			kit.index("agreement_asset").on(t.assetUuid),
		],
	);

	const marketingTemplate = kit.table(
		"marketing_template",
		{
			...plain(),
			name: kit.text("name").notNull(),
			type: kit.text("type").notNull(),
			subject: kit.text("subject"),
			content: kit.text("content"),
			assetUuid: assetUuid(),
			status: status(),
		},
		(t) => [
			kit.index("marketing_template_list").on(t.companyUuid, t.createdAt),
			kit.index("marketing_template_asset").on(t.assetUuid),
		],
	);

	const campaign = kit.table(
		"campaign",
		{
			...plain(),
			archivedAt: kit.time("archived_at"),
			label: kit.text("label").notNull(),
			description: kit.text("description"),
			templateUuid: kit
				.uuid("template_uuid")
				.references(() => marketingTemplate.uuid),
			assetUuid: assetUuid(),
			status: status(),
			startsAt: kit.time("starts_at"),
			endsAt: kit.time("ends_at"),
		},
		(t) => [
			kit.index("campaign_list").on(t.companyUuid, t.createdAt),
			kit.index("campaign_of_template").on(t.templateUuid),
			kit.index("campaign_asset").on(t.assetUuid),
		],
	);

	const card = kit.table(
		"card",
		{
			...plain(),
			title: kit.text("title").notNull(),
			description: kit.text("description"),
			status: status(),
			dueDate: kit.text("due_date"),
			assetUuid: assetUuid(),
		},
		(t) => [
			kit.index("card_list").on(t.companyUuid, t.createdAt),
			kit.index("card_asset").on(t.assetUuid),
		],
	);

	const automation = kit.table(
		"automation",
		{
			...plain(),
			name: kit.text("name").notNull(),
			triggerEventId: kit.text("trigger_event_id").$type<EventId>().notNull(),
			conditions: kit.json<AutomationCondition[]>("conditions").notNull(),
			actions: kit.json<AutomationAction[]>("actions").notNull(),
			status: status(),
		},
		(t) => [kit.index("automation_list").on(t.companyUuid, t.createdAt)],
	);

	return {
		agreementTemplate,
		agreement,
		marketingTemplate,
		campaign,
		card,
		automation,
	};
}
