import type { Field, FieldSet, Rule, Surface } from "./model.ts";

/** The fields and rules of a set that apply to a surface, in the order in which they are evaluated. */
export interface Scope {
	/** In the order of the set. */
	readonly fields: readonly Field[];
	readonly byId: ReadonlyMap<number, Field>;
	/** All fields of the set, which tells a field that is not accessible here from one that does not exist. */
	readonly byUuid: ReadonlyMap<string, Field>;
	/** The fields that rules decide on, each after the triggers of its rules. */
	readonly targets: readonly Target[];
	/** The fields that rules fill. A value that a rule wrote to another field counts as a person's: its rule is gone. */
	readonly filled: ReadonlySet<number>;
	readonly rules: number;
	/** Whether each target comes after everything it depends on. It is true unless rules form a cycle. */
	readonly isOrdered: boolean;
	/** The rules that are evaluated to show a record: only visibility rules, on the stored values. */
	readonly shown: Rules;
}

/** The parts of a scope that evaluating rules needs. */
export type Rules = Pick<Scope, "byId" | "targets" | "rules" | "isOrdered">;

export interface Target {
	readonly field: Field;
	/** The field is hidden unless one of these matches. Empty for a field that is always visible. */
	readonly visibility: readonly Rule[];
	/** The first that matches counts. Sorted, locks first, then oldest first, so that the input's order is irrelevant. */
	readonly setting: readonly Rule[];
}

const isFor = (
	scoped: { partnerType: Surface["partnerType"] | null },
	{ partnerType }: Pick<Surface, "partnerType">,
) => scoped.partnerType === null || scoped.partnerType === partnerType;

const scopes = new WeakMap<FieldSet, Map<string, Scope>>();

/** The scope of a surface, cached for each set. */
export function scopeOf(set: FieldSet, surface: Omit<Surface, "mode">): Scope {
	const key = `${surface.category} ${surface.partnerType}`;
	const known = scopes.get(set) ?? new Map<string, Scope>();
	scopes.set(set, known);
	let scope = known.get(key);
	if (!scope) {
		scope = createScope(set, surface);
		known.set(key, scope);
	}
	return scope;
}

function createScope(set: FieldSet, surface: Omit<Surface, "mode">): Scope {
	const fields = set.fields.filter(
		(field) => field.category === surface.category && isFor(field, surface),
	);
	const byId = new Map(fields.map((field) => [field.id, field]));
	const rules = set.rules.filter(
		(rule) => isFor(rule, surface) && byId.has(rule.targetId),
	);
	const targets = new Map<number, Rule[]>();
	for (const rule of rules) {
		const others = targets.get(rule.targetId);
		if (others) others.push(rule);
		else targets.set(rule.targetId, [rule]);
	}
	const ordered = inOrder(targets).map((id) =>
		toTarget(byId.get(id) as Field, targets.get(id) as Rule[]),
	);
	const concealable = ordered.filter(({ visibility }) => visibility.length > 0);
	const isOrdered = hasNoneAhead(ordered);
	return {
		isOrdered,
		fields,
		byId,
		byUuid: new Map(set.fields.map((field) => [field.uuid, field])),
		rules: rules.length,
		targets: ordered,
		filled: new Set(
			ordered
				.filter(({ setting }) => setting.length > 0)
				.map(({ field }) => field.id),
		),
		shown: {
			isOrdered,
			byId,
			rules: rules.length,
			targets: concealable.map((target) => ({ ...target, setting: [] })),
		},
	};
}

/** True unless a target depends on a later one. */
function hasNoneAhead(targets: readonly Target[]): boolean {
	const ahead = new Set(targets.map(({ field }) => field.id));
	for (const { field, visibility, setting } of targets) {
		if ([...visibility, ...setting].some((rule) => ahead.has(rule.triggerId)))
			return false;
		ahead.delete(field.id);
	}
	return true;
}

/** Sorts depth first, so that each target comes after those it depends on. */
function inOrder(targets: ReadonlyMap<number, readonly Rule[]>): number[] {
	const placed = new Set<number>();
	const order: number[] = [];
	for (const start of targets.keys()) {
		const path = [{ id: start, done: false }];
		while (path.length > 0) {
			const { id, done } = path.pop() as { id: number; done: boolean };
			if (done) order.push(id);
			else if (!placed.has(id)) {
				placed.add(id);
				path.push({ id, done: true });
				for (const { triggerId } of targets.get(id) ?? [])
					if (targets.has(triggerId)) path.push({ id: triggerId, done: false });
			}
		}
	}
	return order;
}

function toTarget(field: Field, rules: readonly Rule[]): Target {
	const byAge = rules.toSorted((a, b) => a.id - b.id);
	const setting = byAge.filter(({ kind }) => kind !== "visibility");
	return {
		field,
		visibility: byAge.filter(({ kind }) => kind === "visibility"),
		setting: [
			...setting.filter(({ lock }) => lock),
			...setting.filter(({ lock }) => !lock),
		],
	};
}
