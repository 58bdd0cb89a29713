import * as z from "zod";
import { nestedCrud } from "../../table/crud.ts";
import { money, quantity } from "../../table/numbers.ts";
import { text, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import { ProductRef } from "../product.ts";
import { sortOrder, variableName } from "./pricing-calculator-field.ts";

/* The products of a pricing calculator, and where their quantities come from. */

/** The source of a product's quantity. */
export const QuantityType = z.enum(["fixed", "variable", "conditional"]);
export type QuantityType = z.infer<typeof QuantityType>;

/** `variable op literal`, with `&&`, `||` and parentheses. It must parse, and use variables of the calculator only. */
export const conditionText = () => text(1000);

/** A product on a pricing calculator (docs/contract.md#pricing-calculator-product). */
export const PricingCalculatorProduct = z.object({
	uuid: z.string(),
	sort_order: z.int(),
	quantity_type: QuantityType,
	quantity_fixed: z.number().nullable(),
	quantity_variable_name: z.string().nullable(),
	quantity_condition: z.string().nullable(),
	quantity_if_true: z.number().nullable(),
	quantity_if_false: z.number().nullable(),
	price_override: z.number().nullable(),
	is_optional: z.boolean(),
	is_included_by_default: z.boolean(),
	quantity_editable: z.boolean(),
	anchor_field_id: z.int().nullable(),
	product: ProductRef,
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type PricingCalculatorProduct = z.infer<typeof PricingCalculatorProduct>;

const writable = {
	sort_order: sortOrder(),
	quantity_type: QuantityType,
	quantity_fixed: quantity().nullable(),
	quantity_variable_name: variableName().nullable(),
	quantity_condition: conditionText().nullable(),
	quantity_if_true: quantity().nullable(),
	quantity_if_false: quantity().nullable(),
	price_override: money().min(0).nullable(),
	is_optional: z.boolean(),
	is_included_by_default: z.boolean(),
	quantity_editable: z.boolean(),
	anchor_field_id: z.int().nullable(),
};

export const PricingCalculatorProductCreate = z
	.object(writable)
	.partial()
	.extend({ product_uuid: Uuid });
export type PricingCalculatorProductCreate = z.infer<
	typeof PricingCalculatorProductCreate
>;

export const PricingCalculatorProductUpdate = z.object(writable).partial();
export type PricingCalculatorProductUpdate = z.infer<
	typeof PricingCalculatorProductUpdate
>;

export const pricingCalculatorProductOperations = nestedCrud({
	noun: "PricingCalculatorProduct",
	plural: "PricingCalculatorProducts",
	parent: "/v1/pricing-calculators/{uuid}",
	segment: "products",
	group: "Pricing Calculators",
	item: PricingCalculatorProduct,
	create: PricingCalculatorProductCreate,
	update: PricingCalculatorProductUpdate,
	emits: { create: [], update: [], remove: [] },
});
