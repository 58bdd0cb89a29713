import { isEqual } from "./matches.ts";
import {
	type Field,
	isSame,
	type Reason,
	type Value,
	type Violation,
} from "./model.ts";
import type { Accepted, RuleOutcome } from "./rule-outcome.ts";

/** Whether a value answers a field. 0 and false are answers, but a required checkbox must be true. */
const isAnswer = ({ type, required }: Field, value: Value | null): boolean =>
	value !== null && !(type === "checkbox" && required && value !== true);

const toViolation = (
	{ uuid, label }: Field,
	reason: Reason,
	message: string,
): Violation => ({ field: uuid, label, reason, message });

/** The first reason why a submission is refused, in the order of docs/custom-fields.md#reasons; null if it is not. */
export function refusalOf(
	{ field, submission, parsed }: Accepted,
	{ surface, stored, states, scope, answers }: RuleOutcome,
): Violation | null {
	const state = states.get(field.id);
	const isVisible = scope.byId.has(field.id) && (state?.visible ?? true);
	const isBlank = "value" in parsed && parsed.value === null;
	if (!isVisible) {
		return isBlank
			? null
			: toViolation(field, "hidden_by_rule", "is hidden by a rule");
	}
	if ("reason" in parsed)
		return toViolation(field, parsed.reason, parsed.message);
	const before = stored.get(field.id)?.value ?? null;
	const isLeftOut = submission.how === "left_out";
	// A rule may answer a field that a full set leaves out.
	const after = isLeftOut
		? (state?.value ?? answers.get(field.id) ?? null)
		: parsed.value;
	if (
		surface.mode === "update" &&
		field.required &&
		!isAnswer(field, after) &&
		isAnswer(field, before)
	) {
		const isUnchecked = field.type === "checkbox" && !isBlank;
		const message = isUnchecked
			? "is required and must stay checked"
			: "is required and cannot be cleared";
		return toViolation(field, "required_cannot_blank", message);
	}
	if (isLeftOut || !state?.rule?.lock) return null;
	const { given } = state;
	if (isSame(parsed.value, given) || (given && isEqual(parsed.value, given)))
		return null;
	// If there is no value yet, a blank clears nothing, and the rule's value is written.
	if (isBlank && before === null) return null;
	const message = "is locked to another value by a rule";
	return toViolation(field, "locked_by_rule", message);
}

/** The required and visible fields that a create leaves without an answer. */
export function findMissing({
	scope,
	accepted,
	states,
	answers,
}: RuleOutcome): Violation[] {
	return scope.fields.flatMap((field) => {
		if (!field.required) return [];
		const parsed = accepted.get(field.id)?.parsed;
		if (parsed && "reason" in parsed) return [];
		const state = states.get(field.id);
		if (state && !state.visible) return [];
		const value = state ? state.value : (answers.get(field.id) ?? null);
		if (isAnswer(field, value)) return [];
		const message =
			value === null ? "is required" : "is required and must be checked";
		return [toViolation(field, "missing_required", message)];
	});
}
