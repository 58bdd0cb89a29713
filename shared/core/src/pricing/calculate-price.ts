import { type BillingPeriod, invalidMembers } from "@partnerwire/contract";
import type {
	FormulaType,
	PricingCalculator,
	PricingEvaluate,
	PricingEvaluation,
} from "@partnerwire/contract/pricing";
import { fromMinor, toDecimal, toMinor } from "../values/decimal.ts";
import { digitsOf } from "../values/money.ts";
import {
	type Amounts,
	add,
	inBucket,
	NOTHING,
	subtract,
	sum,
	takeFrom,
	totalOf,
} from "./amounts.ts";
import { applyFormulas } from "./apply-formulas.ts";
import type { Variables } from "./is-condition-met.ts";
import { chosenOf, resolveVariables } from "./resolve-variables.ts";
import { toLines } from "./to-lines.ts";

/** The period that recurring products are priced in. Throws a 400 if the calculator does not offer it. */
function toPeriod(
	{ display_settings: settings }: PricingCalculator,
	requested: BillingPeriod | undefined,
): BillingPeriod {
	const { billingPeriods, defaultBillingPeriod, billingMode } = settings;
	const fallback = billingPeriods.includes(defaultBillingPeriod)
		? defaultBillingPeriod
		: (billingPeriods[0] ?? defaultBillingPeriod);
	const offered = billingMode === "single" ? [fallback] : billingPeriods;
	if (requested === undefined || offered.includes(requested))
		return requested ?? fallback;
	throw invalidMembers([
		{
			field: "body/billing_period",
			message: `must be one that the calculator offers: ${offered.join(", ")}`,
		},
	]);
}

/** The price modifiers of the chosen options. A positive one is billed once, a negative one never goes below zero. */
function toOptions(
	{ fields }: PricingCalculator,
	variables: Variables,
	lines: Amounts,
	digits: number,
) {
	let subtotal = lines;
	return fields.flatMap((field) => {
		const { variable_name } = field;
		const chosen = chosenOf(field, variables.get(variable_name));
		if (!chosen?.priceModifier) return [];
		const modifier = toMinor(toDecimal(chosen.priceModifier), digits);
		const amounts =
			modifier > 0n
				? inBucket("one_time", modifier)
				: subtract(NOTHING, takeFrom(subtotal, -modifier));
		subtotal = add(subtotal, amounts);
		return [{ variable_name, label: chosen.label, amounts }];
	});
}

/**
 * Calculates a price (docs/pricing-calculators.md#in-which-order). Amounts are integers in minor units of the
 * calculator's currency. Every total is the sum of parts that were rounded, half away from zero.
 */
export function calculatePrice(
	calculator: PricingCalculator,
	request: PricingEvaluate,
): PricingEvaluation {
	const digits = digitsOf(calculator.currency?.code);
	const period = toPeriod(calculator, request.billing_period);
	const variables = resolveVariables(calculator.fields, request.values ?? {});
	const lines = toLines(calculator, request, variables, { period, digits });
	const ofLines = sum(lines.map(({ total }) => total));
	const options = toOptions(calculator, variables, ofLines, digits);
	const subtotal = sum([ofLines, ...options.map(({ amounts }) => amounts)]);
	const basis = { lines, subtotal, variables, digits };
	const formulas = applyFormulas(calculator.formulas, basis);
	const sumOf = (type: FormulaType) =>
		sum(
			formulas
				.filter(({ formula }) => formula.formula_type === type)
				.map(({ amounts }) => amounts),
		);
	const discounts = sumOf("discount");
	const surcharges = sumOf("surcharge");
	const taxes = sumOf("tax");
	const total = sum([subtract(subtotal, discounts), surcharges, taxes]);

	const show = (minor: bigint) => fromMinor(minor, digits);
	const showAll = (amounts: Amounts) => ({
		amount: show(totalOf(amounts)),
		one_time: show(amounts.one_time),
		recurring: show(amounts.recurring),
	});
	return {
		pricing_calculator_uuid: calculator.uuid,
		currency: calculator.currency,
		billing_period: period,
		variables: [...variables].map(([variable_name, value]) => ({
			variable_name,
			value,
		})),
		lines: lines.map((line) => ({
			pricing_calculator_product_uuid: line.item.uuid,
			product_uuid: line.item.product.uuid,
			name: line.item.product.name,
			quantity: line.quantity,
			unit_price: line.unitPrice,
			billing_type: line.item.product.billing_type,
			amount: show(line.amount),
			period_discount: show(line.periodDiscount),
			total: show(totalOf(line.total)),
		})),
		options: options.map(({ amounts, ...option }) => ({
			...option,
			...showAll(amounts),
		})),
		formulas: formulas.map(({ formula, amounts }) => ({
			uuid: formula.uuid,
			name: formula.name,
			formula_type: formula.formula_type,
			...showAll(amounts),
		})),
		subtotal: show(totalOf(subtotal)),
		discount_total: show(totalOf(discounts)),
		surcharge_total: show(totalOf(surcharges)),
		tax_total: show(totalOf(taxes)),
		total: show(totalOf(total)),
		one_time_total: show(total.one_time),
		recurring_total: show(total.recurring),
	};
}
