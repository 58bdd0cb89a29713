import { givenBy, isMatch } from "./matches.ts";
import { isSame, type Rule, type Value } from "./model.ts";
import type { Rules, Target } from "./scope.ts";

/** What the rules make of a field that they are about. */
export interface State {
	readonly visible: boolean;
	/** The rule that fills the field, matched; null where none does. */
	readonly rule: Rule | null;
	/** What that rule gives. */
	readonly given: Value | null;
	/** The value that the field ends with; null while it is hidden, which is how other rules see it. */
	readonly value: Value | null;
}

/** The states of the targets of rules; every other field is visible and has its own value. */
export interface Settled {
	readonly states: ReadonlyMap<number, State>;
	/** How often the rules were gone through until nothing changed any more. */
	readonly rounds: number;
}

/**
 * Evaluates the rules to a fixed point. As no rule depends on itself, it is the same whatever the order, and reached
 * after at most as many rounds as there are rules; one more confirms it. With triggers before targets, one will do.
 *
 * @param own what people say of each field: absent for nothing, null for a blank that was submitted
 */
export function applyRules(
	{ byId, targets, rules, isOrdered }: Rules,
	own: ReadonlyMap<number, Value | null>,
): Settled {
	const states = new Map<number, State>();
	const valueAt = (id: number): Value | null =>
		states.has(id)
			? (states.get(id) as State).value
			: byId.has(id)
				? (own.get(id) ?? null)
				: null;
	let rounds = 0;
	const most = isOrdered ? 1 : rules + 1;
	for (let changed = true; changed && rounds < most; rounds++) {
		changed = false;
		for (const target of targets) {
			const { id } = target.field;
			const state = toState(target, own.get(id), valueAt);
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
	own: Value | null | undefined,
	valueAt: (id: number) => Value | null,
): State {
	const isMet = (rule: Rule) => isMatch(rule, valueAt(rule.triggerId));
	const visible = visibility.length === 0 || visibility.some(isMet);
	const rule = setting.find(isMet) ?? null;
	const given = rule && givenBy(rule, valueAt(rule.triggerId));
	const value = rule && (rule.lock || own === undefined) ? given : own;
	return { visible, rule, given, value: visible ? (value ?? null) : null };
}
