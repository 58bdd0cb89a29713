import type {
	FormulaType,
	PricingCalculatorFormula,
} from "@partnerwire/contract/pricing";
import { percentOf, toDecimal, toMinor } from "../values/decimal.ts";
import {
	type Amounts,
	add,
	atMost,
	BUCKETS,
	inBucket,
	NOTHING,
	subtract,
	sum,
	takeFrom,
	totalOf,
} from "./amounts.ts";
import {
	isConditionMet,
	toNumber,
	type Variables,
} from "./is-condition-met.ts";
import { type Comparison, parseCondition } from "./parse-condition.ts";
import type { Line } from "./to-lines.ts";

/** A formula with the amounts that it came to. */
export interface Applied {
	readonly formula: PricingCalculatorFormula;
	readonly amounts: Amounts;
}

/** The order in which formulas apply (docs/pricing-calculators.md#in-which-order). */
const CLASSES: readonly FormulaType[] = ["discount", "surcharge", "tax"];

/** The values that formulas are calculated from. */
interface Basis {
	readonly lines: readonly Line[];
	readonly subtotal: Amounts;
	readonly variables: Variables;
	readonly digits: number;
}

/** Converts a condition of `formula_config`, whose value is always text, to a comparison. */
const toComparison = ({
	variable_name: variable,
	operator,
	value: literal,
}: NonNullable<
	NonNullable<PricingCalculatorFormula["formula_config"]>["condition"]
>): Comparison => ({ kind: "comparison", variable, operator, literal });

const isAbout = ({ item }: Line, uuid: string) =>
	item.uuid === uuid || item.product.uuid === uuid;

/** The lines that a formula applies to: those of its product if it names one, else all. */
const linesOf = (
	{ selected_product_uuid: uuid }: PricingCalculatorFormula,
	lines: readonly Line[],
) => (uuid === null ? lines : lines.filter((line) => isAbout(line, uuid)));

function appliesTo(
	formula: PricingCalculatorFormula,
	{ variables, lines }: Basis,
): boolean {
	const { condition, formula_config, selected_product_uuid } = formula;
	if (
		condition !== null &&
		!isConditionMet(parseCondition(condition), variables)
	)
		return false;
	const eligibility = formula_config?.eligibility_condition;
	if (eligibility && !isConditionMet(toComparison(eligibility), variables))
		return false;
	return (
		selected_product_uuid === null ||
		linesOf(formula, lines).some(({ quantity }) => quantity > 0)
	);
}

/** The sum that a percentage is taken of. `discounts` are those of earlier formulas. */
function baseOf(
	formula: PricingCalculatorFormula,
	{ lines, subtotal }: Basis,
	discounts: Amounts,
): Amounts {
	const { percentage_base, selected_sources, selected_product_uuid } = formula;
	if (percentage_base === "selected_sources") {
		const uuids = selected_sources.map(
			({ pricing_calculator_product_uuid: uuid }) => uuid,
		);
		const sources = lines.filter(({ item }) => uuids.includes(item.uuid));
		return sum(sources.map(({ total }) => total));
	}
	if (selected_product_uuid !== null)
		return sum(linesOf(formula, lines).map(({ total }) => total));
	return percentage_base === "subtotal"
		? subtotal
		: subtract(subtotal, discounts);
}

/** The value that a formula applies: its own, that of a range of quantities, or that of its condition. */
function ruleOf(
	{ calculation_type, value, formula_config }: PricingCalculatorFormula,
	variables: Variables,
): { isPercentage: boolean; value: number } {
	const { condition, when_true, when_false, quantity_ranges } =
		formula_config ?? {};
	const outcome = condition
		? isConditionMet(toComparison(condition), variables)
			? when_true
			: when_false
		: null;
	if (outcome)
		return {
			isPercentage: outcome.mode === "percentage",
			value: outcome.amount,
		};
	const quantity = toNumber(
		variables.get(quantity_ranges?.variable_name ?? "") ?? null,
	);
	const range = quantity_ranges?.ranges.find(
		({ lower, upper }) =>
			quantity !== undefined &&
			quantity >= lower &&
			(upper === null || quantity <= upper),
	);
	return {
		isPercentage: calculation_type === "percentage",
		value: range?.amount ?? value,
	};
}

/** Whether `no_charge_when_zero` applies: the variable of the ranges is 0, or without ranges the base is 0. */
function isForNone(
	{ formula_config }: PricingCalculatorFormula,
	variables: Variables,
	base: Amounts,
): boolean {
	if (!formula_config?.no_charge_when_zero) return false;
	const name = formula_config.quantity_ranges?.variable_name;
	return name === undefined
		? totalOf(base) === 0n
		: (toNumber(variables.get(name) ?? null) ?? 0) === 0;
}

function amountsOf(
	formula: PricingCalculatorFormula,
	basis: Basis,
	discounts: Amounts,
): Amounts {
	const { variables, subtotal, digits } = basis;
	const full = baseOf(formula, basis, discounts);
	const { billing_type: only } = formula;
	const within = (amounts: Amounts) =>
		only === null ? amounts : inBucket(only, amounts[only]);
	const base = within(full);
	if (isForNone(formula, variables, base)) return NOTHING;
	const { isPercentage, value } = ruleOf(formula, variables);
	const isDiscount = formula.formula_type === "discount";
	// A discount never takes more than is left.
	const left = within(subtract(subtotal, discounts));
	if (isPercentage) {
		const [one_time, recurring] = BUCKETS.map((bucket) =>
			percentOf(base[bucket], value),
		) as [bigint, bigint];
		const amounts = { one_time, recurring };
		return isDiscount ? atMost(amounts, left) : amounts;
	}
	const fixed = toMinor(toDecimal(value), digits);
	if (!isDiscount) return inBucket(only ?? "one_time", fixed);
	const ofProduct = formula.selected_product_uuid !== null;
	return takeFrom(ofProduct ? atMost(base, left) : left, fixed);
}

/** Calculates the formulas that apply, class by class, and in their order within each class. */
export function applyFormulas(
	formulas: readonly PricingCalculatorFormula[],
	basis: Basis,
): Applied[] {
	let discounts = NOTHING;
	const ordered = CLASSES.flatMap((type) =>
		formulas.filter(({ formula_type }) => formula_type === type),
	);
	return ordered
		.filter((formula) => appliesTo(formula, basis))
		.map((formula) => {
			const amounts = amountsOf(formula, basis, discounts);
			if (formula.formula_type === "discount")
				discounts = add(discounts, amounts);
			return { formula, amounts };
		});
}
