import * as z from "zod";
import { crud } from "../../table/crud.ts";
import { queryBoolean, sortQuery } from "../../table/list-query.ts";
import { PartnerType } from "../../table/references.ts";
import { timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import { CustomFieldCategory } from "./custom-field.ts";

/* Rules between custom fields. */

export const CustomFieldRuleKind = z.enum([
	"visibility",
	"set_value",
	"value_map",
]);
export type CustomFieldRuleKind = z.infer<typeof CustomFieldRuleKind>;

export const CustomFieldRuleOperator = z.enum([
	"equals",
	"not_equals",
	"in",
	"is_blank",
	"is_not_blank",
]);
export type CustomFieldRuleOperator = z.infer<typeof CustomFieldRuleOperator>;

/** A rule between two custom fields of one category (docs/decisions.md#custom-field-rules). Values are canonical. */
export const CustomFieldRule = z.object({
	uuid: z.string(),
	category: CustomFieldCategory,
	/** Null means every partner type. */
	partner_type: PartnerType.nullable(),
	active: z.boolean(),
	kind: CustomFieldRuleKind,
	trigger_field_uuid: z.string(),
	operator: CustomFieldRuleOperator,
	/** A value of the trigger field, or an array of them for `in`. Null if the operator takes none. */
	trigger_value: z.unknown(),
	target_field_uuid: z.string(),
	/** For `set_value`: a value of the target field. */
	value: z.unknown(),
	/** For `value_map`: values of the target by the trigger's value as text, such as an option's id. */
	map: z.record(z.string(), z.unknown()).nullable(),
	/** Whether any other value than the rule's is refused. */
	lock: z.boolean(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type CustomFieldRule = z.infer<typeof CustomFieldRule>;

/** Not `z.record`, which drops a member called `__proto__`. */
const ValueMap = z
	.custom<Record<string, unknown>>(
		(value) =>
			typeof value === "object" && value !== null && !Array.isArray(value),
		{ error: "must be an object of values by the trigger's value" },
	)
	.meta({ wire: { type: "object" } });

const fields = { trigger_field_uuid: Uuid, target_field_uuid: Uuid };
const writable = {
	partner_type: PartnerType.nullable(),
	active: z.boolean(),
	operator: CustomFieldRuleOperator,
	trigger_value: z.unknown(),
	value: z.unknown(),
	map: ValueMap.nullable(),
	lock: z.boolean(),
};

/** The category is that of the fields. A `value_map` may leave out `operator`: the map is the condition. */
export const CustomFieldRuleCreate = z
	.object({ category: CustomFieldCategory, ...writable })
	.partial()
	.extend({ kind: CustomFieldRuleKind, ...fields });
export type CustomFieldRuleCreate = z.infer<typeof CustomFieldRuleCreate>;

export const CustomFieldRuleUpdate = z
	.object({ kind: CustomFieldRuleKind, ...fields, ...writable })
	.partial();
export type CustomFieldRuleUpdate = z.infer<typeof CustomFieldRuleUpdate>;

const customFieldRuleFilters = {
	category: CustomFieldCategory.optional(),
	partner_type: PartnerType.optional(),
	trigger_field_uuid: Uuid.optional(),
	target_field_uuid: Uuid.optional(),
	active: queryBoolean().optional(),
	sort: sortQuery(),
};

export const customFieldRuleOperations = crud({
	noun: "CustomFieldRule",
	plural: "CustomFieldRules",
	group: "Custom Fields",
	removal: "delete",
	path: "/v1/custom-field-rules",
	item: CustomFieldRule,
	create: CustomFieldRuleCreate,
	update: CustomFieldRuleUpdate,
	filters: customFieldRuleFilters,
});
