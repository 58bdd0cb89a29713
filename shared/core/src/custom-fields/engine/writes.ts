import type { State } from "./apply-rules.ts";
import { type FieldWrite, isSame, type Stored, type Value } from "./model.ts";
import type { Accepted, RuleOutcome } from "./rule-outcome.ts";

/**
 * What to store, once nothing is refused. Where no submission says anything new, rules are not run either: a rule that
 * changed never rewrites what was stored before it (decisions §5).
 */
export function toWrites(settlement: RuleOutcome): FieldWrite[] {
	const { scope, surface, stored, accepted, states } = settlement;
	const storedValue = (id: number) => stored.get(id)?.value ?? null;
	const writes = [...accepted.values()].flatMap((one) =>
		toWrite(one, settlement),
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
	return [...writes, ...toOrphans(settlement)];
}

/** What rules wrote that are gone becomes an answer of people, before another rule could take it for its own. */
const toOrphans = ({ scope, stored, accepted }: RuleOutcome): FieldWrite[] =>
	[...stored].flatMap(([id, { value, byRule }]) => {
		const field = scope.byId.get(id);
		const isOrphan = byRule && !scope.filled.has(id) && !accepted.has(id);
		return field && isOrphan ? [{ field, to: { value, byRule: false } }] : [];
	});

/** What a submission changes of its own field. */
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
	// A blank in its place keeps a rule from filling it again.
	const blank = { value: null, byRule: false };
	if (submission.how) return write(rule && before ? blank : null);
	return state?.visible === false && !before ? [] : write(blank);
}

/** A value that a rule wrote, and that is submitted where no rule gives it any more, becomes an answer of people. */
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

/** What rules make of a field that nothing was submitted for; undefined to leave it as it is. */
function toRuled(
	{ visible, rule, given }: State,
	before: Stored | undefined,
): Stored | null | undefined {
	// A value that a rule wrote is cleared when no rule gives one any more; what is hidden is kept.
	if (!rule) return before?.byRule ? null : undefined;
	if (!visible || (before && !before.byRule && !rule.lock)) return undefined;
	return isSame(given, before?.value ?? null)
		? undefined
		: { value: given, byRule: true };
}
