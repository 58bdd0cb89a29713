import {
	PricingCalculator,
	PricingCalculatorCreate,
	PricingCalculatorUpdate,
	pricingCalculatorFilters,
} from "../resources/pricing/pricing-calculator.ts";
import {
	PricingCalculatorField,
	PricingCalculatorFieldCreate,
	PricingCalculatorFieldUpdate,
} from "../resources/pricing/pricing-calculator-field.ts";
import {
	PricingCalculatorFormula,
	PricingCalculatorFormulaCreate,
	PricingCalculatorFormulaUpdate,
} from "../resources/pricing/pricing-calculator-formula.ts";
import {
	PricingCalculatorProduct,
	PricingCalculatorProductCreate,
	PricingCalculatorProductUpdate,
} from "../resources/pricing/pricing-calculator-product.ts";
import {
	PricingEvaluate,
	PricingEvaluation,
} from "../resources/pricing/pricing-evaluation.ts";
import { crud, nestedCrud } from "../table/crud.ts";
import { defineEvaluation, defineWrite } from "../table/operation.ts";
import { RecordParams } from "../table/params.ts";

const path = "/v1/pricing-calculators";
const parent = `${path}/{uuid}` as const;
const group = "Pricing Calculators";
const emits = { create: [], update: [], remove: [] };
const status = {
	group,
	method: "POST",
	params: RecordParams,
	response: PricingCalculator,
} as const;

/** Pricing calculators with their fields, products and formulas, and the prices that they make. */
export const pricingCalculatorOperations = {
	...crud({
		noun: "PricingCalculator",
		plural: "PricingCalculators",
		removal: "delete",
		path,
		item: PricingCalculator,
		create: PricingCalculatorCreate,
		update: PricingCalculatorUpdate,
		filters: pricingCalculatorFilters,
		emits,
	}),
	publishPricingCalculator: defineWrite({
		...status,
		path: `${parent}/publish`,
		summary: "Make a pricing calculator live, also one that was archived",
	}),
	archivePricingCalculator: defineWrite({
		...status,
		path: `${parent}/archive`,
		summary: "Archive a pricing calculator",
	}),
	...nestedCrud({
		noun: "PricingCalculatorField",
		plural: "PricingCalculatorFields",
		parent,
		segment: "fields",
		group,
		item: PricingCalculatorField,
		create: PricingCalculatorFieldCreate,
		update: PricingCalculatorFieldUpdate,
		emits,
	}),
	...nestedCrud({
		noun: "PricingCalculatorProduct",
		plural: "PricingCalculatorProducts",
		parent,
		segment: "products",
		group,
		item: PricingCalculatorProduct,
		create: PricingCalculatorProductCreate,
		update: PricingCalculatorProductUpdate,
		emits,
	}),
	...nestedCrud({
		noun: "PricingCalculatorFormula",
		plural: "PricingCalculatorFormulas",
		parent,
		segment: "formulas",
		group,
		item: PricingCalculatorFormula,
		create: PricingCalculatorFormulaCreate,
		update: PricingCalculatorFormulaUpdate,
		emits,
	}),
	evaluatePricingCalculator: defineEvaluation({
		group,
		method: "POST",
		path: `${parent}/evaluate`,
		params: RecordParams,
		summary: "Work out a price",
		body: PricingEvaluate,
		response: PricingEvaluation,
	}),
};
