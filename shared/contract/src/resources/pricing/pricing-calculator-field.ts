import * as z from "zod";
import { nestedCrud } from "../../table/crud.ts";
import { money } from "../../table/numbers.ts";
import { requiredLine, text, timestamp } from "../../table/text.ts";

/* The fields of a pricing calculator: each asks for the value of a variable. */

/** The controls that ask for the value of a variable. */
export const CalculatorFieldType = z.enum([
	"number",
	"slider",
	"dropdown",
	"radio",
	"checkbox",
]);
export type CalculatorFieldType = z.infer<typeof CalculatorFieldType>;

/** How variables are named in conditions and quantities (docs/contract.md#pricing-calculator-field). */
export const variableName = () =>
	z
		.string()
		.max(64)
		.regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, {
			error: "must be a letter or _, then letters, digits or _",
		})
		.meta({ examples: ["seats"] });

/** The field's position in its calculator. */
export const sortOrder = () => z.int().min(0).max(1_000_000);

/** Numbers and sliders have the first four members, dropdowns and radios `options`, checkboxes `defaultChecked`. */
export const FieldConfig = z
	.object({
		min: money().nullable(),
		max: money().nullable(),
		step: money().nullable(),
		default: money().nullable(),
		options: z
			.array(
				z.object({
					value: text(),
					label: text(),
					priceModifier: money().default(0),
				}),
			)
			.max(200),
		defaultChecked: z.boolean().nullable(),
	})
	.partial();
export type FieldConfig = z.infer<typeof FieldConfig>;

/** A field of a pricing calculator; `id` is what `anchor_field_id` refers to (docs/decisions.md#integer-ids). */
export const PricingCalculatorField = z.object({
	id: z.int(),
	uuid: z.string(),
	label: z.string(),
	field_type: CalculatorFieldType,
	variable_name: z.string(),
	required: z.boolean(),
	sort_order: z.int(),
	field_config: FieldConfig,
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type PricingCalculatorField = z.infer<typeof PricingCalculatorField>;

const writable = {
	label: requiredLine(),
	variable_name: variableName(),
	required: z.boolean(),
	sort_order: sortOrder(),
	field_config: FieldConfig,
};

export const PricingCalculatorFieldCreate = z
	.object(writable)
	.partial()
	.extend({
		label: writable.label,
		field_type: CalculatorFieldType,
		variable_name: writable.variable_name,
	});
export type PricingCalculatorFieldCreate = z.infer<
	typeof PricingCalculatorFieldCreate
>;

/** Exactly the members of the contract; `field_config` replaces the whole configuration. */
export const PricingCalculatorFieldUpdate = z.object(writable).partial();
export type PricingCalculatorFieldUpdate = z.infer<
	typeof PricingCalculatorFieldUpdate
>;

export const pricingCalculatorFieldOperations = nestedCrud({
	noun: "PricingCalculatorField",
	plural: "PricingCalculatorFields",
	parent: "/v1/pricing-calculators/{uuid}",
	segment: "fields",
	group: "Pricing Calculators",
	item: PricingCalculatorField,
	create: PricingCalculatorFieldCreate,
	update: PricingCalculatorFieldUpdate,
	emits: { create: [], update: [], remove: [] },
});
