import type {
	ComparisonOperator,
	PricingValue,
} from "@partnerwire/contract/pricing";
import type { Comparison, Condition } from "./parse-condition.ts";

const NUMBER = /^-?\d+(\.\d+)?$/;

/** The values of variables by name; null for a variable without a value. */
export type Variables = ReadonlyMap<string, PricingValue>;

/** Reads a number, also from text such as an option's value; undefined for anything else. */
export const toNumber = (value: PricingValue): number | undefined =>
	typeof value === "number" || (typeof value === "string" && NUMBER.test(value))
		? Number(value)
		: undefined;

const toOrder = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);

const TESTS: Readonly<Record<ComparisonOperator, (order: number) => boolean>> =
	{
		"==": (order) => order === 0,
		"!=": (order) => order !== 0,
		">": (order) => order > 0,
		">=": (order) => order >= 0,
		"<": (order) => order < 0,
		"<=": (order) => order <= 0,
	};

/**
 * Two numbers compare as numbers. Anything else compares as text: it is equal or not, and has no order. A variable
 * without a value equals nothing.
 */
function compare(
	value: PricingValue,
	operator: ComparisonOperator,
	literal: Comparison["literal"],
): boolean {
	if (value === null) return operator === "!=";
	const [a, b] = [toNumber(value), toNumber(literal)];
	if (a !== undefined && b !== undefined) return TESTS[operator](toOrder(a, b));
	const isEqual = String(value) === String(literal);
	return operator === "==" ? isEqual : operator === "!=" && !isEqual;
}

/** Whether a condition holds for the variables. */
export const isConditionMet = (
	condition: Condition,
	variables: Variables,
): boolean => {
	if (condition.kind === "comparison") {
		const { variable, operator, literal } = condition;
		return compare(variables.get(variable) ?? null, operator, literal);
	}
	const { kind, terms } = condition;
	return kind === "all"
		? terms.every((term) => isConditionMet(term, variables))
		: terms.some((term) => isConditionMet(term, variables));
};
