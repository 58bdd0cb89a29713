// Single cases of enforce(); enforce.test.ts has its properties.

import { expect, test } from "vitest";
import { enforce } from "../../src/custom-fields/engine/enforce.ts";
import type {
	FieldSet,
	Stored,
	Submission,
} from "../../src/custom-fields/engine/model.ts";
import { toFullSet } from "../../src/custom-fields/engine/to-full-set.ts";
import { field, rule, surface } from "./support.ts";

test("what a rule wrote that is gone decides like an answer, and becomes one at the next change", () => {
	const [trigger, target, other] = [1, 2, 3].map((id) => field(id, "text"));
	const set: FieldSet = {
		fields: [trigger, target, other] as FieldSet["fields"],
		country: null,
		rules: [rule(1, { operator: "equals", triggerValue: { text: "a" } })],
	};
	const stored = new Map<number, Stored>([
		[1, { value: { text: "a" }, byRule: true }],
		[2, { value: { text: "hello" }, byRule: false }],
	]);
	const submit = (id: number, text: string): Submission[] => [
		{ uuid: field(id, "text").uuid, value: { text } },
	];
	const result = enforce(set, surface("update"), stored, submit(2, "bye"));
	expect(result.violations).toEqual([]);
	expect(result.writes.map(({ field, to }) => [field.id, to])).toEqual([
		[2, { value: { text: "bye" }, byRule: false }],
		[1, { value: { text: "a" }, byRule: false }],
	]);
	const left = toFullSet(
		set,
		surface("update"),
		new Map(
			[...stored].map(([fieldId, one]) => [
				fieldId,
				{ ...one, fieldId, createdAt: 0, updatedAt: 0 },
			]),
		),
		[],
	);
	expect(left).toHaveLength(2);
});

test("each field has one reason, whatever else is wrong with it", () => {
	const unknown = "0192a1b2-c3d4-7e5f-8a6b-999999999999";
	const checkbox = field(2, "checkbox", { required: true });
	const set: FieldSet = {
		fields: [field(1, "text"), checkbox],
		country: null,
		rules: [
			rule(1, {
				kind: "set_value",
				operator: "is_blank",
				value: false,
				lock: true,
			}),
		],
	};
	const { violations } = enforce(set, surface("create"), new Map(), [
		{ uuid: unknown, value: 1 },
		{ uuid: checkbox.uuid, value: true },
		{ uuid: unknown, value: 2 },
	]);
	expect(violations.map(({ field, reason }) => [field, reason])).toEqual([
		[unknown, "unknown_field"],
		[checkbox.uuid, "locked_by_rule"],
	]);
});

test("a locked choice may be written in any order", () => {
	const choice = field(2, "multi_select");
	const set: FieldSet = {
		fields: [field(1, "text"), choice],
		country: null,
		rules: [
			rule(1, {
				kind: "set_value",
				operator: "is_blank",
				value: [21, 22],
				lock: true,
			}),
		],
	};
	const reasonOf = (chosen: number[]) =>
		enforce(set, surface("create"), new Map(), [
			{ uuid: choice.uuid, value: { multi_select: chosen } },
		]).violations.map(({ reason }) => reason);
	expect(reasonOf([22, 21])).toEqual([]);
	expect(reasonOf([22, 23])).toEqual(["locked_by_rule"]);
});
