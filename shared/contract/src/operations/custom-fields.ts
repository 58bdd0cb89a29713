import {
	CustomField,
	CustomFieldCreate,
	CustomFieldOption,
	CustomFieldOptionCreate,
	CustomFieldOptionUpdate,
	CustomFieldUpdate,
	customFieldFilters,
} from "../resources/custom-fields/custom-field.ts";
import {
	CustomFieldRule,
	CustomFieldRuleCreate,
	CustomFieldRuleUpdate,
	customFieldRuleFilters,
} from "../resources/custom-fields/custom-field-rule.ts";
import { configuration, crud, nestedCrud } from "../table/crud.ts";

/** The definitions of custom fields, their options, and the rules between them. */
export const customFieldOperations = {
	...configuration({
		noun: "CustomField",
		plural: "CustomFields",
		path: "/v1/custom-fields",
		item: CustomField,
		create: CustomFieldCreate,
		update: CustomFieldUpdate,
		filters: customFieldFilters,
	}),
	...nestedCrud({
		noun: "CustomFieldOption",
		plural: "CustomFieldOptions",
		parent: "/v1/custom-fields/{uuid}",
		segment: "options",
		group: "Custom Fields",
		item: CustomFieldOption,
		create: CustomFieldOptionCreate,
		update: CustomFieldOptionUpdate,
	}),
	...crud({
		noun: "CustomFieldRule",
		plural: "CustomFieldRules",
		group: "Custom Fields",
		removal: "delete",
		path: "/v1/custom-field-rules",
		item: CustomFieldRule,
		create: CustomFieldRuleCreate,
		update: CustomFieldRuleUpdate,
		filters: customFieldRuleFilters,
	}),
};
