import { ApiError } from "@partnerwire/contract";
import type {
	PricingCalculatorFormula,
	PricingCalculatorProduct,
} from "@partnerwire/contract/pricing";
import type { Invalid } from "../resource/references.ts";
import type { CalculatorParts } from "./calculator-view.ts";
import {
	ConditionError,
	parseCondition,
	variablesOf,
} from "./parse-condition.ts";

type Expressions = Partial<
	Pick<
		PricingCalculatorProduct,
		"quantity_variable_name" | "quantity_condition"
	> &
		Pick<PricingCalculatorFormula, "condition" | "formula_config">
>;

/** Where a product or a formula names a variable, by the path of the member; a condition that cannot be read throws. */
function* namedIn(of: Expressions): Generator<[string, () => string[]]> {
	const { quantity_variable_name: name, formula_config: config } = of;
	if (name) yield ["quantity_variable_name", () => [name]];
	for (const member of ["quantity_condition", "condition"] as const) {
		const text = of[member];
		if (typeof text === "string")
			yield [member, () => variablesOf(parseCondition(text))];
	}
	for (const member of [
		"condition",
		"eligibility_condition",
		"quantity_ranges",
	] as const) {
		const named = config?.[member]?.variable_name;
		if (named) yield [`formula_config/${member}/variable_name`, () => [named]];
	}
}

/** What a body says of variables that its calculator does not have, and conditions that cannot be read. */
export function findInvalid(
	of: Expressions,
	{ fields }: CalculatorParts,
): Invalid[] {
	const known = new Set(fields.map(({ variable_name: name }) => name));
	return [...namedIn(of)].flatMap(([member, read]): Invalid[] => {
		const field = `body/${member}`;
		try {
			return read()
				.filter((name) => !known.has(name))
				.map((name) => ({
					field,
					message: `"${name}" is no variable of this calculator`,
				}));
		} catch (error) {
			if (!(error instanceof ConditionError)) throw error;
			return [{ field, message: error.message }];
		}
	});
}

const namesOf = (of: Expressions) =>
	[...namedIn(of)].flatMap(([, read]) => read());

/** Throws a 409 for a variable that products or formulas name. */
export function refuseUsed(
	variable: string,
	{ products, formulas }: CalculatorParts,
): void {
	const users = [
		...products.filter((one) => namesOf(one).includes(variable)).map(inWords),
		...formulas.filter((one) => namesOf(one).includes(variable)).map(inWords),
	];
	if (users.length === 0) return;
	throw new ApiError(
		"conflict",
		`the variable "${variable}" is used by ${users.join(", ")}; change that first`,
	);
}

const inWords = (one: { name: string } | { product: { name: string } }) =>
	"product" in one
		? `the product "${one.product.name}"`
		: `the formula "${one.name}"`;
