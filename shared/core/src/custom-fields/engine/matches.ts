import { isSame, type Rule, type Value } from "./model.ts";

/** A trigger's value as a key of a `value_map`: an option's id, a number, `true`, a date or a text. */
export const toMapKey = (value: Value): string =>
	typeof value === "object" && "text" in value ? value.text : String(value);

/** Whether a trigger's value meets a rule's condition. Pure; a blank is null. */
export function isMatch(rule: Rule, trigger: Value | null): boolean {
	if (!isMet(rule, trigger)) return false;
	return (
		rule.kind !== "value_map" ||
		(trigger !== null && (rule.map?.has(toMapKey(trigger)) ?? false))
	);
}

function isMet(
	{ operator, triggerValue }: Rule,
	trigger: Value | null,
): boolean {
	switch (operator) {
		case "is_blank":
			return trigger === null;
		case "is_not_blank":
			return trigger !== null;
		case "equals":
			return isEqual(trigger, triggerValue as Value);
		case "not_equals":
			return !isEqual(trigger, triggerValue as Value);
		case "in":
			return (triggerValue as readonly Value[]).some((value) =>
				Array.isArray(trigger)
					? trigger.includes(value)
					: isEqual(trigger, value),
			);
	}
}

/** Whether two values are equal. The order of choices does not matter. */
export const isEqual = (trigger: Value | null, value: Value): boolean =>
	trigger !== null &&
	(Array.isArray(trigger) && Array.isArray(value)
		? isSame(trigger.toSorted(), value.toSorted())
		: isSame(trigger, value));

/** The value that a matching rule gives its target. */
export const givenBy = (rule: Rule, trigger: Value | null): Value | null =>
	rule.kind === "value_map"
		? trigger === null
			? null
			: (rule.map?.get(toMapKey(trigger)) ?? null)
		: rule.value;
