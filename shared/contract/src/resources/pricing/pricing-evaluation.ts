import * as z from "zod";
import { money, quantity } from "../../table/numbers.ts";
import { defineEvaluation } from "../../table/operation.ts";
import { RecordParams } from "../../table/params.ts";
import { CurrencyRef } from "../../table/references.ts";
import { text } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import { BillingPeriod, BillingType } from "../product.ts";
import { FormulaType } from "./pricing-calculator-formula.ts";

/* The prices that pricing calculators make. */

const Value = z.union([money(), text(), z.boolean(), z.null()], {
	error: "must be a number, a text, a boolean or null",
});
export type PricingValue = z.infer<typeof Value>;

const Selected = z.object({ uuid: Uuid, quantity: quantity().optional() });

/** The question for a price: values by variable, the optional products that are wanted, the period. */
export const PricingEvaluate = z
	.object({
		values: z.record(z.string().max(64), Value),
		/** A product of the calculator: its uuid, with a quantity if that is editable. */
		selected_products: z
			.array(
				z.union([Uuid.transform((uuid) => ({ uuid })), Selected], {
					error: "must be the uuid of a product of the calculator",
				}),
			)
			.max(500),
		billing_period: BillingPeriod,
	})
	.partial();
export type PricingEvaluate = z.infer<typeof PricingEvaluate>;

/** An amount that is billed once and one that is billed every period; `amount` is their sum. */
const parts = {
	amount: z.number(),
	one_time: z.number(),
	recurring: z.number(),
};

/** A price and how it came about: every total is the sum of the rounded parts above it. */
export const PricingEvaluation = z.object({
	pricing_calculator_uuid: z.string(),
	currency: CurrencyRef.nullable(),
	billing_period: BillingPeriod,
	variables: z.array(z.object({ variable_name: z.string(), value: Value })),
	lines: z.array(
		z.object({
			pricing_calculator_product_uuid: z.string(),
			product_uuid: z.string(),
			name: z.string(),
			quantity: z.number(),
			unit_price: z.number(),
			billing_type: BillingType,
			/** Quantity × unit price, in the period asked for. */
			amount: z.number(),
			period_discount: z.number(),
			total: z.number(),
		}),
	),
	options: z.array(
		z.object({ variable_name: z.string(), label: z.string(), ...parts }),
	),
	formulas: z.array(
		z.object({
			uuid: z.string(),
			name: z.string(),
			formula_type: FormulaType,
			...parts,
		}),
	),
	subtotal: z.number(),
	discount_total: z.number(),
	surcharge_total: z.number(),
	tax_total: z.number(),
	total: z.number(),
	one_time_total: z.number(),
	recurring_total: z.number(),
});
export type PricingEvaluation = z.infer<typeof PricingEvaluation>;

export const pricingEvaluationOperations = {
	evaluatePricingCalculator: defineEvaluation({
		group: "Pricing Calculators",
		method: "POST",
		path: "/v1/pricing-calculators/{uuid}/evaluate",
		params: RecordParams,
		summary: "Work out a price",
		body: PricingEvaluate,
		response: PricingEvaluation,
	}),
};
