import { givenBy, isMatch } from "./matches.ts";
import { isSame, type Rule, type Value } from "./model.ts";
import type { Rules, Target } from "./scope.ts";

/** The result of the rules for one target field. */
export interface State {
	readonly visible: boolean;
	/** The matching rule that fills the field; null if none does. */
	readonly rule: Rule | null;
	/** The value that this rule gives. */
	readonly given: Value | null;
	/** The field's final value. Null while it is hidden, because other rules see a hidden field as blank. */
	readonly value: Value | null;
}

/** The states of the targets of rules. Every other field is visible and keeps its own value. */
export interface Settled {
	readonly states: ReadonlyMap<number, State>;
	/** How many times the rules were evaluated until nothing changed. */
	readonly rounds: number;
}

/**
 * Evaluates the rules to a fixed point. Because no rule depends on itself, the order does not change the result. It
 * takes at most one round for each rule, and one more to confirm. If triggers come before targets, one is enough.
 *
 * @param answers the answers of people, by field id: absent for no answer, null for a submitted blank
 */
export function applyRules(
	{ byId, targets, rules, isOrdered }: Rules,
	answers: ReadonlyMap<number, Value | null>,
): Settled {
	const states = new Map<number, State>();
	const valueAt = (id: number): Value | null =>
		states.has(id)
			? (states.get(id) as State).value
			: byId.has(id)
				? (answers.get(id) ?? null)
				: null;
	let rounds = 0;
	const most = isOrdered ? 1 : rules + 1;
	for (let changed = true; changed && rounds < most; rounds++) {
		changed = false;
		for (const target of targets) {
			const { id } = target.field;
			const state = toState(target, answers.get(id), valueAt);
			const before = states.get(id);
			if (
				before?.visible === state.visible &&
				before.rule === state.rule &&
				isSame(before.value, state.value)
			)
				continue;
			states.set(id, state);
			changed = true;
		}
	}
	return { states, rounds };
}

function toState(
	{ visibility, setting }: Target,
	answer: Value | null | undefined,
	valueAt: (id: number) => Value | null,
): State {
	const isMet = (rule: Rule) => isMatch(rule, valueAt(rule.triggerId));
	const visible = visibility.length === 0 || visibility.some(isMet);
	const rule = setting.find(isMet) ?? null;
	const given = rule && givenBy(rule, valueAt(rule.triggerId));
	const value = rule && (rule.lock || answer === undefined) ? given : answer;
	return { visible, rule, given, value: visible ? (value ?? null) : null };
}
