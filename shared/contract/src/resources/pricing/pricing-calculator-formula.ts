import * as z from "zod";
import { nestedCrud } from "../../table/crud.ts";
import { money } from "../../table/numbers.ts";
import { requiredLine, text, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import { BillingType } from "../product.ts";
import { sortOrder, variableName } from "./pricing-calculator-field.ts";
import { conditionText } from "./pricing-calculator-product.ts";

/* The formulas of a pricing calculator: discounts, surcharges and taxes. */

export const FormulaType = z.enum(["discount", "surcharge", "tax"]);
export type FormulaType = z.infer<typeof FormulaType>;

export const CalculationType = z.enum(["fixed", "percentage"]);
export type CalculationType = z.infer<typeof CalculationType>;

export const PercentageBase = z.enum([
	"subtotal",
	"subtotal_after_discounts",
	"selected_sources",
]);
export type PercentageBase = z.infer<typeof PercentageBase>;

/** Operators of comparisons, also in the text of conditions. */
export const COMPARISON_OPERATORS = ["==", "!=", ">=", "<=", ">", "<"] as const;
export type ComparisonOperator = (typeof COMPARISON_OPERATORS)[number];

const Comparison = z.object({
	kind: z.literal("comparison"),
	variable_name: variableName(),
	operator: z.enum(COMPARISON_OPERATORS),
	value: text(),
});

const Outcome = z.object({
	mode: z.enum(["flat", "percentage"]),
	amount: money().min(0),
});

const QuantityRanges = z.object({
	variable_name: variableName(),
	ranges: z
		.array(
			z.object({
				lower: money(),
				upper: money().nullable(),
				amount: money().min(0),
			}),
		)
		.max(100),
});

const Presentation = z
	.object({
		group_id: Uuid.nullable(),
		group_label: text().nullable(),
		visibility: z.enum(["visible", "hidden"]),
		sort_order: sortOrder(),
		target_product_uuid: Uuid.nullable(),
	})
	.partial();

/** The finer rules of a formula, kept as they were written (docs/contract.md#pricing-calculator-formula). */
export const FormulaConfig = z
	.object({
		version: z.int().min(1).max(1000),
		condition: Comparison.nullable(),
		eligibility_condition: Comparison.nullable(),
		when_true: Outcome.nullable(),
		when_false: Outcome.nullable(),
		quantity_ranges: QuantityRanges.nullable(),
		no_charge_when_zero: z.boolean(),
		presentation: Presentation.nullable(),
	})
	.partial();
export type FormulaConfig = z.infer<typeof FormulaConfig>;

const FormulaSource = z.object({
	kind: z.literal("product"),
	pricing_calculator_product_uuid: Uuid,
});

/** A formula of a pricing calculator. */
export const PricingCalculatorFormula = z.object({
	uuid: z.string(),
	name: z.string(),
	condition: z.string().nullable(),
	formula_type: FormulaType,
	calculation_type: CalculationType,
	value: z.number(),
	billing_type: BillingType.nullable(),
	percentage_base: PercentageBase,
	selected_product_uuid: z.string().nullable(),
	selected_sources: z.array(FormulaSource),
	sort_order: z.int(),
	formula_config: FormulaConfig.nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type PricingCalculatorFormula = z.infer<typeof PricingCalculatorFormula>;

const writable = {
	name: requiredLine(),
	condition: conditionText().nullable(),
	formula_type: FormulaType,
	calculation_type: CalculationType,
	value: money().min(0),
	billing_type: BillingType.nullable(),
	percentage_base: PercentageBase,
	selected_product_uuid: Uuid.nullable(),
	selected_sources: z.array(FormulaSource).max(200),
	sort_order: sortOrder(),
	formula_config: FormulaConfig.nullable(),
};

export const PricingCalculatorFormulaCreate = z
	.object(writable)
	.partial()
	.extend({
		name: writable.name,
		formula_type: writable.formula_type,
		calculation_type: writable.calculation_type,
		value: writable.value,
	});
export type PricingCalculatorFormulaCreate = z.infer<
	typeof PricingCalculatorFormulaCreate
>;

export const PricingCalculatorFormulaUpdate = z.object(writable).partial();
export type PricingCalculatorFormulaUpdate = z.infer<
	typeof PricingCalculatorFormulaUpdate
>;

export const pricingCalculatorFormulaOperations = nestedCrud({
	noun: "PricingCalculatorFormula",
	plural: "PricingCalculatorFormulas",
	parent: "/v1/pricing-calculators/{uuid}",
	segment: "formulas",
	group: "Pricing Calculators",
	item: PricingCalculatorFormula,
	create: PricingCalculatorFormulaCreate,
	update: PricingCalculatorFormulaUpdate,
	emits: { create: [], update: [], remove: [] },
});
