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

/** The variables of a product or formula, by the member's path. Reading a member throws for an invalid condition. */
function* namedIn(part: Expressions): Generator<[string, () => string[]]> {
	const { quantity_variable_name: name, formula_config: config } = part;
	if (name) yield ["quantity_variable_name", () => [name]];
	for (const member of ["quantity_condition", "condition"] as const) {
		const text = part[member];
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

/** The members of a body that name unknown variables, or have a condition that cannot be parsed. */
export function findInvalid(
	body: Expressions,
	{ fields }: CalculatorParts,
): Invalid[] {
	const known = new Set(fields.map(({ variable_name: name }) => name));
	return [...namedIn(body)].flatMap(([member, read]): Invalid[] => {
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

const namesOf = (part: Expressions) =>
	[...namedIn(part)].flatMap(([, read]) => read());

/** Throws a 409 if products or formulas name the variable. */
export function refuseUsed(
	variable: string,
	{ products, formulas }: CalculatorParts,
): void {
	const users = [
		...products.filter((part) => namesOf(part).includes(variable)).map(inWords),
		...formulas.filter((part) => namesOf(part).includes(variable)).map(inWords),
	];
	if (users.length === 0) return;
	throw new ApiError(
		"conflict",
		`the variable "${variable}" is used by ${users.join(", ")}; change that first`,
	);
}

const inWords = (part: { name: string } | { product: { name: string } }) =>
	"product" in part
		? `the product "${part.product.name}"`
		: `the formula "${part.name}"`;
