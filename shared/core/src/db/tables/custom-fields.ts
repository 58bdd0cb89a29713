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
	 * One value of a record, whose kind is the field's category. `record_uuid` has no foreign key, because it is a
	 * partner's, a lead's or a deal's, none of which is ever removed.
	 */
	const customFieldValue = kit.table(
		"custom_field_value",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			recordUuid: kit.uuid("record_uuid").notNull(),
			customFieldId: fieldId("custom_field_id"),
			/** The canonical value as JSON; null for a blank. */
			value: kit.text("value"),
			/** Whether a rule wrote it. */
			byRule: kit.bool("by_rule").notNull(),
			...times(),
		},
		(t) => [
			kit
				.uniqueIndex("custom_field_value_record")
				.on(t.recordUuid, t.customFieldId),
			kit.index("custom_field_value_field").on(t.customFieldId),
		],
	);

	return { customField, customFieldOption, customFieldRule, customFieldValue };
}

export type CustomFieldTables = ReturnType<typeof defineCustomFieldTables>;
