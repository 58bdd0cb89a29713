import type {
	ComparisonOperator,
	PricingValue,
} from "@partnerwire/contract/pricing";
import type { Comparison, Condition } from "./parse-condition.ts";

const NUMBER = /^-?\d+(\.\d+)?$/;

/** The value of a variable; one that has no value is null. */
export type Variables = ReadonlyMap<string, PricingValue>;

/** A number, also one that is written as text, such as the value of an option; undefined for anything else. */
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
 * Two numbers compare as numbers. Anything else compares as text, which is equal or not: it has no order. Nothing is
 * equal to a variable without a value.
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
