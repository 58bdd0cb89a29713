import {
	CustomFieldCategory,
	CustomFieldRuleKind,
	CustomFieldRuleOperator,
	CustomFieldType,
	PartnerType,
} from "@partnerwire/contract";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";

/** Custom fields with their options, the rules between them, and the values that records have. */
export function defineCustomFieldTables(
	kit: ColumnKit,
	{ company }: AccessTables,
) {
	const owner = () =>
		kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid);
	const times = () => ({
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});
	const category = () =>
		kit
			.oneOf("category", CustomFieldCategory.options as [CustomFieldCategory])
			.notNull();
	const partnerType = () =>
		kit.oneOf("partner_type", PartnerType.options as [PartnerType]);

	const customField = kit.table(
		"custom_field",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull().unique(),
			companyUuid: owner(),
			label: kit.text("label").notNull(),
			type: kit
				.oneOf("type", CustomFieldType.options as [CustomFieldType])
				.notNull(),
			category: category(),
			partnerType: partnerType(),
			required: kit.bool("required").notNull(),
			shared: kit.bool("shared").notNull(),
			helpText: kit.text("help_text"),
			link: kit.text("link"),
			placeholder: kit.text("placeholder"),
			series: kit.int("series").notNull(),
			...times(),
		},
		(t) => [
			kit.index("custom_field_list").on(t.companyUuid, t.category, t.series),
		],
	);

	const customFieldOption = kit.table(
		"custom_field_option",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull(),
			companyUuid: owner(),
			customFieldUuid: kit
				.uuid("custom_field_uuid")
				.notNull()
				.references(() => customField.uuid),
			label: kit.text("label").notNull(),
			series: kit.int("series").notNull(),
			...times(),
		},
		(t) => [
			kit.uniqueIndex("custom_field_option_uuid").on(t.uuid),
			kit.index("custom_field_option_field").on(t.customFieldUuid),
			kit.index("custom_field_option_list").on(t.companyUuid),
		],
	);

	const fieldId = (name: string) =>
		kit
			.int(name)
			.notNull()
			.references(() => customField.id);

	const customFieldRule = kit.table(
		"custom_field_rule",
		{
			id: kit.id(),
			uuid: kit.uuid("uuid").notNull(),
			companyUuid: owner(),
			category: category(),
			partnerType: partnerType(),
			active: kit.bool("active").notNull(),
			kind: kit
				.oneOf("kind", CustomFieldRuleKind.options as [CustomFieldRuleKind])
				.notNull(),
			triggerId: fieldId("trigger_id"),
			operator: kit
				.oneOf(
					"operator",
					CustomFieldRuleOperator.options as [CustomFieldRuleOperator],
				)
				.notNull(),
			/** Canonical values, as JSON; null for none. */
			triggerValue: kit.text("trigger_value"),
			targetId: fieldId("target_id"),
			value: kit.text("value"),
			/** An array of pairs, as JSON. */
			map: kit.text("map"),
			lock: kit.bool("lock").notNull(),
			...times(),
		},
		(t) => [
			kit.uniqueIndex("custom_field_rule_uuid").on(t.uuid),
			kit.index("custom_field_rule_list").on(t.companyUuid, t.createdAt),
			kit.index("custom_field_rule_trigger").on(t.triggerId),
			kit.index("custom_field_rule_target").on(t.targetId),
		],
	);

	/**
	 * The values of one record, all in one row: a row for each value would make records with many values expensive.
	 * `record_uuid` has no foreign key, because it belongs to a partner, a lead or a deal. None of these is ever removed.
	 */
	const customFieldValues = kit.table(
		"custom_field_values",
		{
			id: kit.id(),
			companyUuid: owner(),
			category: category(),
			recordUuid: kit.uuid("record_uuid").notNull(),
			/** Values by the fields' integer ids: see `custom-fields/engine/entries.ts`. */
			json: kit.text("json").notNull(),
			...times(),
		},
		(t) => [
			kit.uniqueIndex("custom_field_values_record").on(t.recordUuid),
			kit.index("custom_field_values_list").on(t.companyUuid, t.category),
		],
	);

	return { customField, customFieldOption, customFieldRule, customFieldValues };
}
