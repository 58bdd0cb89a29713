import type { Rule } from "./model.ts";

/** Whether a rule names an option of a field: as its trigger's value, or as the value that it gives. */
export function isOptionInRule(
	rule: Rule,
	fieldId: number,
	optionId: number,
): boolean {
	const { triggerId, triggerValue, targetId, value, map } = rule;
	const keys = [...(map?.keys() ?? [])].map(Number);
	const asTrigger = [triggerValue, keys].flat();
	const asTarget = [value, ...(map?.values() ?? [])].flat();
	return (
		(triggerId === fieldId && asTrigger.includes(optionId)) ||
		(targetId === fieldId && asTarget.includes(optionId))
	);
}
