import {
	COMPARISON_OPERATORS,
	type ComparisonOperator,
} from "@partnerwire/contract/pricing";

/** A condition as a tree. It is evaluated by walking it, never run as code. */
export type Condition =
	| { readonly kind: "all" | "any"; readonly terms: readonly Condition[] }
	| Comparison;

export interface Comparison {
	readonly kind: "comparison";
	readonly variable: string;
	readonly operator: ComparisonOperator;
	readonly literal: number | string | boolean;
}

/** Why a text is not a condition. The message follows "body/condition: ". */
export class ConditionError extends Error {
	override readonly name = "ConditionError";
}

const MAX_DEPTH = 50;

const TOKEN =
	/\s*(?:(&&|\|\||[()]|==|!=|>=|<=|>|<)|(-?\d+(?:\.\d+)?)(?![\w.])|([a-zA-Z_]\w*)|"([^"]*)"|'([^']*)')/y;

interface Token {
	readonly kind: "sign" | "number" | "word" | "text";
	readonly text: string;
	readonly at: number;
}

function toTokens(text: string): Token[] {
	const tokens: Token[] = [];
	const end = text.trimEnd().length;
	let at = 0;
	while (at < end) {
		TOKEN.lastIndex = at;
		const match = TOKEN.exec(text);
		if (!match)
			throw new ConditionError(`cannot be read from character ${at + 1} on`);
		const [, sign, number, word, double, single] = match;
		const [kind, value] =
			sign !== undefined
				? (["sign", sign] as const)
				: number !== undefined
					? (["number", number] as const)
					: word !== undefined
						? (["word", word] as const)
						: (["text", double ?? single ?? ""] as const);
		tokens.push({ kind, text: value, at: at + 1 });
		at = TOKEN.lastIndex;
	}
	return tokens;
}

const isOperator = (text: string): text is ComparisonOperator =>
	(COMPARISON_OPERATORS as readonly string[]).includes(text);

/**
 * Parses `variable op literal`, joined by `&&` (binds closer) and `||`, with parentheses. A literal is a number, a text
 * in quotes, `true` or `false`. Throws a `ConditionError`.
 *
 * @example
 * parseCondition('seats >= 10 && (plan == "gold" || trial == false)');
 */
export function parseCondition(text: string): Condition {
	const tokens = toTokens(text);
	let next = 0;

	const isSign = (sign: string) =>
		tokens[next]?.kind === "sign" && tokens[next]?.text === sign;

	function expected(what: string): ConditionError {
		const token = tokens[next];
		return new ConditionError(
			token
				? `expected ${what} at character ${token.at}, not "${token.text}"`
				: `ends where ${what} is expected`,
		);
	}

	function join(
		kind: "all" | "any",
		sign: string,
		read: () => Condition,
	): Condition {
		const terms = [read()];
		while (isSign(sign)) {
			next++;
			terms.push(read());
		}
		return terms.length === 1 ? (terms[0] as Condition) : { kind, terms };
	}

	const readAny = (depth: number): Condition =>
		join("any", "||", () => join("all", "&&", () => readUnit(depth)));

	function readUnit(depth: number): Condition {
		if (!isSign("(")) return readComparison();
		if (depth === MAX_DEPTH)
			throw new ConditionError(`has more than ${MAX_DEPTH} levels`);
		next++;
		const inner = readAny(depth + 1);
		if (!isSign(")")) throw expected('")"');
		next++;
		return inner;
	}

	function readComparison(): Comparison {
		const variable = tokens[next];
		if (variable?.kind !== "word") throw expected("a variable");
		next++;
		const operator = tokens[next]?.text ?? "";
		if (tokens[next]?.kind !== "sign" || !isOperator(operator))
			throw expected(`one of ${COMPARISON_OPERATORS.join(" ")}`);
		next++;
		const literal = readLiteral();
		return { kind: "comparison", variable: variable.text, operator, literal };
	}

	function readLiteral(): Comparison["literal"] {
		const token = tokens[next];
		if (token?.kind === "number" || token?.kind === "text") {
			next++;
			return token.kind === "number" ? Number(token.text) : token.text;
		}
		if (token?.text !== "true" && token?.text !== "false")
			throw expected("a number, a text in quotes, true or false");
		next++;
		return token.text === "true";
	}

	const condition = readAny(0);
	if (next < tokens.length) throw expected("&& or ||");
	return condition;
}

/** The variables that a condition names. */
export const variablesOf = (condition: Condition): string[] =>
	condition.kind === "comparison"
		? [condition.variable]
		: condition.terms.flatMap(variablesOf);
