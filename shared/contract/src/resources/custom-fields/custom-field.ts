import * as z from "zod";
import { configuration, nestedCrud } from "../../table/crud.ts";
import { LabelRef, PartnerType } from "../../table/references.ts";
import { requiredLine, text, timestamp, webUrl } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/* Custom fields with their options, and their values as bodies write them. The values of a record are in custom-field-value.ts. */

/** The types of custom fields (docs/custom-fields.md). */
export const CustomFieldType = z.enum([
	"text",
	"textarea",
	"number",
	"date",
	"boolean",
	"checkbox",
	"select",
	"multi_select",
	"email",
	"website",
	"phone",
]);
export type CustomFieldType = z.infer<typeof CustomFieldType>;

/** The records that have a custom field: leads, partners or deals. */
export const CustomFieldCategory = z.enum(["lead", "partner", "lead_deal"]);
export type CustomFieldCategory = z.infer<typeof CustomFieldCategory>;

/** An option of a `select` or `multi_select` field, as the field shows it. Values refer to its integer `id`. */
export const CustomFieldChoice = LabelRef.extend({ id: z.int() });
export type CustomFieldChoice = z.infer<typeof CustomFieldChoice>;

const series = z.int().min(0).max(1_000_000);

export const CustomField = z.object({
	id: z.int(),
	uuid: z.string(),
	label: z.string(),
	type: CustomFieldType,
	category: CustomFieldCategory,
	partner_type: PartnerType.nullable(),
	options: z.array(CustomFieldChoice),
	required: z.boolean(),
	shared: z.boolean(),
	help_text: z.string().nullable(),
	link: z.string().nullable(),
	placeholder: z.string().nullable(),
	series: z.int(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type CustomField = z.infer<typeof CustomField>;

const optional = {
	/** Null means every partner type. */
	partner_type: PartnerType.nullable(),
	required: z.boolean(),
	shared: z.boolean(),
	help_text: text(2000).nullable(),
	link: webUrl().nullable(),
	placeholder: text().nullable(),
	series,
};
const label = requiredLine();

export const CustomFieldOptionCreate = z.object({
	label,
	series: series.optional(),
});
export type CustomFieldOptionCreate = z.infer<typeof CustomFieldOptionCreate>;
export const CustomFieldOptionUpdate = CustomFieldOptionCreate.partial();
export type CustomFieldOptionUpdate = z.infer<typeof CustomFieldOptionUpdate>;

/** An option under its field's path. */
export const CustomFieldOption = CustomFieldChoice.extend({
	series: z.int(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type CustomFieldOption = z.infer<typeof CustomFieldOption>;

/** True for the types whose values are options. */
export const hasOptions = (type: CustomFieldType): boolean =>
	type === "select" || type === "multi_select";

/** A new field may bring its options, in order. Its category never changes, because values depend on it. */
export const CustomFieldCreate = z
	.object({
		label,
		type: CustomFieldType,
		category: CustomFieldCategory,
		...z.object(optional).partial().shape,
		options: z
			.array(CustomFieldOptionCreate)
			.max(1000)
			.meta({ examples: [[]] })
			.optional(),
	})
	.refine(
		({ type, options = [] }) => hasOptions(type) || options.length === 0,
		{
			path: ["options"],
			error: "are for fields of the types select and multi_select",
		},
	);
export type CustomFieldCreate = z.infer<typeof CustomFieldCreate>;

export const CustomFieldUpdate = z
	.object({ label, type: CustomFieldType, ...optional })
	.partial();
export type CustomFieldUpdate = z.infer<typeof CustomFieldUpdate>;

const customFieldFilters = {
	category: CustomFieldCategory.optional(),
	type: CustomFieldType.optional(),
	partner_type: PartnerType.optional(),
};

/** A value as it comes in. The schema takes any JSON: handlers check it and report per field (docs/contract.md#errors). */
const GivenValue = z.unknown().refine((value) => value !== undefined, {
	error: "is required",
});

/** Custom field values by the fields' uuids, inline and at `…/custom-fields`. */
export const CustomFieldInputs = z.array(
	z.object({ uuid: Uuid, value: GivenValue }),
);
export type CustomFieldInputs = z.infer<typeof CustomFieldInputs>;

/** The member of leads, deals and partners that holds them. */
export const inlineCustomFields = {
	custom_fields: CustomFieldInputs.optional(),
};

export const CustomFieldValueBody = z.object({ value: GivenValue });
export const CustomFieldsBody = z.object({ custom_fields: CustomFieldInputs });
/** Without `uuids`, all values. */
export const CustomFieldUuids = z
	.object({ uuids: z.array(Uuid).optional() })
	.optional();

/** The definitions of custom fields, and their options. */
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
};
