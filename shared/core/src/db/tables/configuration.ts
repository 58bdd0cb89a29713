import { PartnerType } from "@partnerwire/contract";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";

export const STAGE_ENTITIES = ["partner", "lead", "deal"] as const;
const TAG_TYPES = [
	"partner",
	"lead",
	"deal",
	"resource",
	"card",
	"contact",
] as const;

/** A company's configuration: stages, tiers, categories, tags, currencies and attributions. */
export function defineConfigurationTables(
	kit: ColumnKit,
	{ company }: AccessTables,
) {
	const owner = () =>
		kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid);
	const labelled = () => ({
		uuid: kit.uuid("uuid").notNull(),
		companyUuid: owner(),
		label: kit.text("label").notNull(),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});
	/** The label with its case folded, for kinds with unique labels (docs/decisions.md#configuration-labels). */
	const unique = () => ({ labelKey: kit.text("label_key") });
	const colours = () => ({
		backgroundColor: kit.text("background_color"),
		textColor: kit.text("text_color"),
	});

	const stage = kit.table(
		"stage",
		{
			id: kit.id(),
			...labelled(),
			entity: kit.oneOf("entity", STAGE_ENTITIES).notNull(),
			partnerType: kit.oneOf(
				"partner_type",
				PartnerType.options as [PartnerType],
			),
			phase: kit.text("phase"),
			series: kit.int("series").notNull(),
		},
		(t) => [
			kit.uniqueIndex("stage_uuid").on(t.uuid),
			kit.index("stage_list").on(t.companyUuid, t.entity, t.series),
		],
	);

	const tier = kit.table(
		"tier",
		{
			id: kit.id(),
			...labelled(),
			...unique(),
			...colours(),
			series: kit.int("series").notNull(),
		},
		(t) => [
			kit.uniqueIndex("tier_uuid").on(t.uuid),
			kit.uniqueIndex("tier_label").on(t.companyUuid, t.labelKey),
			kit.index("tier_list").on(t.companyUuid, t.series),
		],
	);

	const category = kit.table(
		"category",
		{ id: kit.id(), ...labelled(), ...unique(), ...colours() },
		(t) => [
			kit.uniqueIndex("category_uuid").on(t.uuid),
			kit.uniqueIndex("category_label").on(t.companyUuid, t.labelKey),
			kit.index("category_list").on(t.companyUuid),
		],
	);

	const tag = kit.table(
		"tag",
		{
			id: kit.id(),
			...labelled(),
			...unique(),
			...colours(),
			type: kit.oneOf("type", TAG_TYPES).notNull(),
		},
		(t) => [
			kit.uniqueIndex("tag_uuid").on(t.uuid),
			kit.uniqueIndex("tag_label").on(t.companyUuid, t.type, t.labelKey),
			kit.index("tag_list").on(t.companyUuid, t.type),
		],
	);

	const currency = kit.table(
		"currency",
		{
			id: kit.id(),
			...labelled(),
			code: kit.text("code").notNull(),
			isDefault: kit.bool("is_default").notNull(),
		},
		(t) => [
			kit.uniqueIndex("currency_uuid").on(t.uuid),
			kit.uniqueIndex("currency_code").on(t.companyUuid, t.code),
		],
	);

	const attribution = kit.table(
		"attribution",
		{ id: kit.id(), ...labelled(), ...unique() },
		(t) => [
			kit.uniqueIndex("attribution_uuid").on(t.uuid),
			kit.uniqueIndex("attribution_label").on(t.companyUuid, t.labelKey),
			kit.index("attribution_list").on(t.companyUuid, t.createdAt),
		],
	);

	/** The role of a supporting partner in a deal. */
	const partnerRole = kit.table(
		"partner_role",
		{ id: kit.id(), ...labelled(), ...unique() },
		(t) => [
			kit.uniqueIndex("partner_role_uuid").on(t.uuid),
			kit.uniqueIndex("partner_role_label").on(t.companyUuid, t.labelKey),
			kit.index("partner_role_list").on(t.companyUuid, t.createdAt),
		],
	);

	return { stage, tier, category, tag, currency, attribution, partnerRole };
}

export type ConfigurationTables = ReturnType<typeof defineConfigurationTables>;
