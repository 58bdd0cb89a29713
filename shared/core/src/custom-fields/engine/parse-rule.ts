import type {
	CustomFieldRuleKind,
	CustomFieldRuleOperator,
} from "@partnerwire/contract";
import { toMapKey } from "./matches.ts";
import type { Field, FieldSet, Value } from "./model.ts";
import { parseValue } from "./parse-value.ts";

/** A rule's members, as submitted or as stored. Undefined and null mean the same. */
export interface RuleBody {
	readonly kind: CustomFieldRuleKind;
	readonly operator?: CustomFieldRuleOperator | undefined;
	readonly trigger_value?: unknown;
	readonly value?: unknown;
	readonly map?: Readonly<Record<string, unknown>> | null | undefined;
	readonly lock?: boolean | undefined;
}

export interface ParsedRule {
	readonly operator: CustomFieldRuleOperator;
	readonly triggerValue: Value | readonly Value[] | null;
	readonly value: Value | null;
	readonly map: readonly (readonly [string, Value])[] | null;
	readonly lock: boolean;
}

interface Problem {
	readonly field: string;
	readonly message: string;
}

const TAKES_NONE = ["is_blank", "is_not_blank"];
const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Parses a rule between two fields to its canonical form, and lists the problems by member. Pure. */
export function parseRule(
	body: RuleBody,
	trigger: Field,
	target: Field,
	set: Pick<FieldSet, "country">,
): { rule: ParsedRule; problems: Problem[] } {
	const problems: Problem[] = [];
	const report = (member: string, message: string) =>
		void problems.push({ field: `body/${member}`, message });

	/** Parses a value that must not be blank. Reports its problems. */
	function parseGiven(
		member: string,
		given: unknown,
		field: Pick<Field, "type" | "options">,
	): Value | null {
		const parsed = parseValue(given ?? null, field, set);
		if ("reason" in parsed) report(member, parsed.message);
		else if (parsed.value === null) report(member, "must not be blank");
		else return parsed.value;
		return null;
	}

	function parseTrigger(operator: CustomFieldRuleOperator) {
		const triggerValue = body.trigger_value;
		if (TAKES_NONE.includes(operator)) {
			if (isGiven(triggerValue))
				report("trigger_value", `is not for ${operator}`);
			return null;
		}
		if (operator !== "in")
			return parseGiven("trigger_value", triggerValue, trigger);
		if (!Array.isArray(triggerValue) || triggerValue.length === 0) {
			report("trigger_value", "must be an array of values");
			return null;
		}
		// `in` looks for single choices, also in a `multi_select`.
		const { options, type } = trigger;
		const itemType = type === "multi_select" ? "select" : type;
		const item = { options, type: itemType } as const;
		return triggerValue.flatMap(
			(value) => parseGiven("trigger_value", value, item) ?? [],
		);
	}

	function parseMap() {
		const pairs = new Map<string, Value>();
		if (trigger.type === "multi_select")
			report("kind", "value_map takes no multi_select as its trigger");
		for (const [key, given] of Object.entries(body.map ?? {})) {
			const parsed = parseValue(fromMapKey(key, trigger), trigger, set);
			const value = parseGiven("map", given, target);
			if ("reason" in parsed || parsed.value === null)
				report("map", `"${key}" is no value of the trigger`);
			else if (pairs.has(toMapKey(parsed.value)))
				report("map", `"${key}" is given twice`);
			else if (value !== null) pairs.set(toMapKey(parsed.value), value);
		}
		if (pairs.size === 0 && problems.length === 0)
			report("map", "must have at least one value");
		return [...pairs];
	}

	const { kind } = body;
	const operator =
		body.operator ?? (kind === "value_map" ? "is_not_blank" : undefined);
	if (!operator) report("operator", "is required");
	const sets = { set_value: "value", value_map: "map", visibility: null }[kind];
	for (const member of ["value", "map"] as const)
		if (member !== sets && isGiven(body[member]))
			report(member, `is not for ${kind}`);
	if (body.lock && kind === "visibility")
		report("lock", "is not for visibility");
	return {
		rule: {
			operator: operator ?? "is_not_blank",
			triggerValue: operator ? parseTrigger(operator) : null,
			value: sets === "value" ? parseGiven("value", body.value, target) : null,
			map: sets === "map" ? parseMap() : null,
			lock: body.lock ?? false,
		},
		problems,
	};
}

/** A key of a map as a value of the trigger: the inverse of `toMapKey`. */
function fromMapKey(key: string, { type }: Field): unknown {
	switch (type) {
		case "number":
		case "select":
			return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(key) ? Number(key) : key;
		case "boolean":
		case "checkbox":
			return key === "true" ? true : key === "false" ? false : key;
		case "date":
		case "multi_select":
			return key;
		default:
			return { text: key };
	}
}
