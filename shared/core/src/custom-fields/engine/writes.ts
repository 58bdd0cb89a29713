import type { State } from "./apply-rules.ts";
import { type FieldWrite, isSame, type Stored, type Value } from "./model.ts";
import type { Accepted, RuleOutcome } from "./rule-outcome.ts";

/**
 * The writes of a request of which nothing is refused. If no submission changes a value, no rule runs: a rule that
 * changed never rewrites values stored before it (docs/decisions.md#custom-field-rules).
 */
export function toWrites(outcome: RuleOutcome): FieldWrite[] {
	const { scope, surface, stored, accepted, states } = outcome;
	const storedValue = (id: number) => stored.get(id)?.value ?? null;
	const writes = [...accepted.values()].flatMap((submission) =>
		toWrite(submission, outcome),
	);
	const isNew = writes.some(
		({ field, to }) => !isSame(to?.value ?? null, storedValue(field.id)),
	);
	if (!isNew && surface.mode === "update") return writes;
	for (const { field } of scope.targets) {
		const { id } = field;
		const state = states.get(id) as State;
		const before = stored.get(id);
		const submitted = accepted.get(id);
		const to = submitted
			? toAdopted(submitted, state, before)
			: toRuled(state, before);
		if (to !== undefined) writes.push({ field, to });
	}
	return [...writes, ...toOrphans(outcome)];
}

/** Turns values whose rule is gone into answers of people. Otherwise another rule could take them for its own. */
const toOrphans = ({ scope, stored, accepted }: RuleOutcome): FieldWrite[] =>
	[...stored].flatMap(([id, { value, byRule }]) => {
		const field = scope.byId.get(id);
		const isOrphan = byRule && !scope.filled.has(id) && !accepted.has(id);
		return field && isOrphan ? [{ field, to: { value, byRule: false } }] : [];
	});

/** The write that a submission makes of its own field, if any. */
function toWrite(
	{ field, submission, parsed }: Accepted,
	{ stored, states, scope }: RuleOutcome,
): FieldWrite[] {
	const before = stored.get(field.id);
	const state = scope.byId.has(field.id) ? states.get(field.id) : undefined;
	const value = "value" in parsed ? parsed.value : null;
	const rule = state?.visible ? state.rule : null;
	const isLeftOut = submission.how === "left_out";
	const write = (to: Stored | null) => {
		const isKept = to
			? before !== undefined && isSame(before.value, to.value)
			: !before;
		return isKept ? [] : [{ field, to }];
	};
	if (state && rule && (rule.lock || isLeftOut))
		return write({ value: state.given, byRule: value === null });
	if (value !== null) return write({ value, byRule: false });
	// A stored blank keeps the rule from filling the field again.
	const blank = { value: null, byRule: false };
	if (submission.how) return write(rule && before ? blank : null);
	return state?.visible === false && !before ? [] : write(blank);
}

/** A value that a rule wrote becomes a person's answer if it is submitted and no rule gives it any more. */
function toAdopted(
	{ parsed }: Accepted,
	{ rule, given }: State,
	before: Stored | undefined,
): Stored | undefined {
	const value: Value | null = "value" in parsed ? parsed.value : null;
	const isAdopted =
		before?.byRule &&
		value !== null &&
		isSame(value, before.value) &&
		!(rule && isSame(given, value));
	return isAdopted ? { value, byRule: false } : undefined;
}

/** The value that rules give a field without a submission; null clears it, undefined leaves it as it is. */
function toRuled(
	{ visible, rule, given }: State,
	before: Stored | undefined,
): Stored | null | undefined {
	// A value that a rule wrote is cleared when no rule gives one any more. The value of a hidden field is kept.
	if (!rule) return before?.byRule ? null : undefined;
	if (!visible || (before && !before.byRule && !rule.lock)) return undefined;
	return isSame(given, before?.value ?? null)
		? undefined
		: { value: given, byRule: true };
}
