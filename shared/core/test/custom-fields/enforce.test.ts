import fc from "fast-check";
import { expect, test } from "vitest";
import { applyRules } from "../../src/custom-fields/engine/apply-rules.ts";
import { enforce } from "../../src/custom-fields/engine/enforce.ts";
import { findCycle } from "../../src/custom-fields/engine/find-cycle.ts";
import type {
	FieldSet,
	Stored,
	Submission,
} from "../../src/custom-fields/engine/model.ts";
import { parseValue } from "../../src/custom-fields/engine/parse-value.ts";
import { scopeOf } from "../../src/custom-fields/engine/scope.ts";
import {
	showValues,
	visibleFields,
} from "../../src/custom-fields/engine/show-values.ts";
import {
	applyWrites,
	field,
	rule,
	sets,
	submissionsOf,
	surface,
} from "./support.ts";

/** A set, and the values stored after a few requests, of which the accepted ones were written. */
const histories = sets.chain((set) =>
	fc
		.array(submissionsOf(set), { minLength: 1, maxLength: 4 })
		.map((requests) => {
			let stored: Map<number, Stored> = new Map();
			for (const submissions of requests) {
				const { writes } = enforce(set, surface("update"), stored, submissions);
				stored = applyWrites(stored, writes);
			}
			return { set, stored };
		}),
);
const requests = histories.chain(({ set, stored }) =>
	fc.record({
		set: fc.constant(set),
		stored: fc.constant(stored),
		submissions: submissionsOf(set),
		mode: fc.constantFrom("create" as const, "update" as const),
	}),
);

const entriesOf = (stored: ReadonlyMap<number, Stored>) =>
	new Map(
		[...stored].map(([fieldId, one]) => [
			fieldId,
			{ ...one, fieldId, createdAt: 0, updatedAt: 0 },
		]),
	);
const shown = (set: FieldSet, stored: ReadonlyMap<number, Stored>) =>
	showValues(set, surface("update"), entriesOf(stored));
const sorted = (values: readonly unknown[]) =>
	values.map((value) => JSON.stringify(value)).sort();
const holds = (property: fc.IProperty<[unknown]>) =>
	fc.assert(property, { numRuns: 300 });

test("nothing is written on any violation, and each field is refused once", () =>
	holds(
		fc.property(requests, ({ set, stored, submissions, mode }) => {
			const result = enforce(set, surface(mode), stored, submissions);
			if (result.violations.length > 0) expect(result.writes).toEqual([]);
			const refused = result.violations.map(({ field }) => field);
			expect(new Set(refused).size).toBe(refused.length);
			const written = result.writes.map(({ field }) => field.id);
			expect(new Set(written).size).toBe(written.length);
		}) as fc.IProperty<[unknown]>,
	));

test("writing what was read is a no-op", () =>
	holds(
		fc.property(histories, ({ set, stored }) => {
			const submissions: Submission[] = shown(set, stored).map(
				({ uuid, value }) => ({ uuid, value }),
			);
			const result = enforce(set, surface("update"), stored, submissions);
			expect(result).toEqual({ writes: [], violations: [] });
		}) as fc.IProperty<[unknown]>,
	));

test("the order of fields, rules and submissions does not matter", () =>
	holds(
		fc.property(requests, ({ set, stored, submissions, mode }) => {
			const result = enforce(set, surface(mode), stored, submissions);
			const turned = {
				...set,
				fields: set.fields.toReversed(),
				rules: set.rules.toReversed(),
			};
			const other = enforce(
				turned,
				surface(mode),
				stored,
				submissions.toReversed(),
			);
			expect(sorted(other.writes)).toEqual(sorted(result.writes));
			expect(sorted(other.violations)).toEqual(sorted(result.violations));
		}) as fc.IProperty<[unknown]>,
	));

test("every stored value is canonical: parsing it gives it back", () =>
	holds(
		fc.property(histories, ({ set, stored }) => {
			for (const one of set.fields) {
				const value = stored.get(one.id)?.value;
				if (value === undefined) continue;
				expect(parseValue(value, one, set)).toEqual({ value });
			}
		}) as fc.IProperty<[unknown]>,
	));

test("what is hidden is never shown, and can always be deleted", () =>
	holds(
		fc.property(histories, ({ set, stored }) => {
			const visible = visibleFields(set, surface("update"), entriesOf(stored));
			const isVisible = (id: number) => visible.some((one) => one.id === id);
			for (const { uuid } of shown(set, stored))
				expect(visible.some((one) => one.uuid === uuid)).toBe(true);
			for (const one of set.fields) {
				if (!stored.has(one.id) || isVisible(one.id)) continue;
				const removal = {
					uuid: one.uuid,
					value: null,
					how: "removed",
				} as const;
				const result = enforce(set, surface("update"), stored, [removal]);
				expect(result.violations).toEqual([]);
				expect(applyWrites(stored, result.writes).has(one.id)).toBe(false);
			}
		}) as fc.IProperty<[unknown]>,
	));

test("the fixed point is reached within as many rounds as there are rules, and one to confirm it", () =>
	holds(
		fc.property(histories, ({ set, stored }) => {
			const scope = scopeOf(set, surface("update"));
			const own = new Map([...stored].map(([id, { value }]) => [id, value]));
			expect(scope.isOrdered).toBe(true);
			const backwards = {
				...scope,
				isOrdered: false,
				targets: scope.targets.toReversed(),
			};
			const there = applyRules(backwards, own);
			expect(there.rounds).toBeLessThanOrEqual(scope.rules + 1);
			expect(new Map([...there.states].sort())).toEqual(
				new Map([...applyRules(scope, own).states].sort()),
			);
		}) as fc.IProperty<[unknown]>,
	));

test("rules in a chain of 200 fields settle, whatever their order", () => {
	const fields = Array.from({ length: 201 }, (_, at) => field(at + 1, "text"));
	const rules = Array.from({ length: 200 }, (_, at) =>
		rule(at + 1, {
			kind: "set_value",
			triggerId: at + 1,
			targetId: at + 2,
			value: { text: `${at}` },
			lock: at % 2 === 0,
		}),
	);
	for (const order of [rules, rules.toReversed()]) {
		const set = { fields, rules: order, country: null };
		const first = { uuid: fields[0]?.uuid ?? "", value: { text: "go" } };
		const { writes } = enforce(set, surface("create"), new Map(), [first]);
		expect(writes).toHaveLength(201);
	}
});

test("a circle is found between rules that can meet, and none between those that cannot", () => {
	const edges = (types: readonly ("reseller" | "referral" | null)[]) =>
		types.map((partnerType, at) => ({
			triggerId: at + 1,
			targetId: at + 2,
			partnerType,
		}));
	const back = { triggerId: 3, targetId: 1, partnerType: null };
	expect(findCycle(back, edges([null, null]))).toEqual([3, 1, 2, 3]);
	expect(findCycle(back, edges([null, "reseller"]))).toEqual([3, 1, 2, 3]);
	expect(findCycle(back, edges(["referral", "reseller"]))).toBe(null);
	const self = { triggerId: 1, targetId: 1, partnerType: null };
	expect(findCycle(self, [])).toEqual([1, 1]);
});

test("what a rule wrote goes when it stops applying; what somebody said stays", () => {
	const set = {
		fields: [field(1, "boolean"), field(2, "text")],
		rules: [
			rule(1, {
				kind: "set_value",
				operator: "equals",
				triggerValue: true,
				value: { text: "auto" },
			}),
		],
		country: null,
	};
	const [trigger, target] = set.fields;
	const write = (stored: ReadonlyMap<number, Stored>, ...given: unknown[]) => {
		const submissions = given.flatMap((value, at) =>
			value === undefined
				? []
				: [{ uuid: [trigger, target][at]?.uuid ?? "", value }],
		);
		const { writes } = enforce(set, surface("update"), stored, submissions);
		return applyWrites(stored, writes);
	};
	const filled = write(new Map(), true);
	expect(filled.get(2)).toEqual({ value: { text: "auto" }, byRule: true });
	expect(write(filled, false).has(2)).toBe(false);
	// Submitted together with the change that ends the rule, the value is a person's answer.
	const kept = write(filled, false, { text: "auto" });
	expect(kept.get(2)).toEqual({ value: { text: "auto" }, byRule: false });
	// A rule does not fill a submitted blank again.
	const blank = write(filled, undefined, null);
	expect(write(write(blank, false), true).get(2)?.value).toBe(null);
});

test("once the rules that filled fields are gone, what was read can be written back, and stands", () =>
	holds(
		fc.property(histories, ({ set: before, stored }) => {
			const rules = before.rules.filter(({ kind }) => kind === "visibility");
			const set = { ...before, rules };
			const submissions: Submission[] = shown(set, stored).map(
				({ uuid, value }) => ({ uuid, value }),
			);
			const result = enforce(set, surface("update"), stored, submissions);
			expect(result).toEqual({ writes: [], violations: [] });
		}) as fc.IProperty<[unknown]>,
	));
