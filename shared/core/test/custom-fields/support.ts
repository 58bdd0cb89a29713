import type { CustomFieldType, PartnerType } from "@partnerwire/contract";
import fc from "fast-check";
import { findCycle } from "../../src/custom-fields/engine/find-cycle.ts";
import type {
	Field,
	FieldSet,
	Rule,
	Stored,
	Submission,
	Surface,
	Value,
} from "../../src/custom-fields/engine/model.ts";

/** A field of leads for every partner type, by default. */
export const field = (
	id: number,
	type: CustomFieldType,
	more: Partial<Field> = {},
): Field => ({
	id,
	uuid: `0192a1b2-c3d4-7e5f-8a6b-${String(id).padStart(12, "0")}`,
	label: `Field ${id}`,
	type,
	category: "lead",
	partnerType: null,
	required: false,
	options: new Map(
		type.includes("select") ? [1, 2, 3].map((at) => [id * 10 + at, "x"]) : [],
	),
	...more,
});

export const rule = (id: number, more: Partial<Rule>): Rule => ({
	id,
	partnerType: null,
	kind: "visibility",
	triggerId: 1,
	operator: "is_not_blank",
	triggerValue: null,
	targetId: 2,
	value: null,
	map: null,
	lock: false,
	...more,
});

export const surface = (mode: Surface["mode"]): Surface => ({
	category: "lead",
	partnerType: "reseller",
	mode,
});

const TYPES: readonly CustomFieldType[] = [
	"text",
	"number",
	"boolean",
	"checkbox",
	"select",
	"multi_select",
	"date",
];

/** A value of a field in the notation in which it is submitted. */
const valuesOf = ({ type, options }: Field): fc.Arbitrary<Value> => {
	const ids = [...options.keys()];
	switch (type) {
		case "number":
			return fc.integer({ min: -1, max: 2 });
		case "boolean":
		case "checkbox":
			return fc.boolean();
		case "select":
			return fc.constantFrom(...ids);
		case "multi_select":
			return fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 });
		case "date":
			return fc.constantFrom("2026-01-01", "2026-02-28");
		default:
			return fc.constantFrom("a", "b", "c").map((text) => ({ text }));
	}
};

/** Anything that may be submitted for a field: values, blanks and nonsense. */
const givenOf = (field: Field): fc.Arbitrary<unknown> =>
	fc.oneof(
		{ weight: 6, arbitrary: valuesOf(field) },
		{ weight: 2, arbitrary: fc.constantFrom(null, "", [], { text: "  " }) },
		{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
	);

const partnerType = fc.constantFrom<PartnerType | null>(
	null,
	null,
	null,
	"reseller",
	"referral",
);

const fields = fc
	.array(
		fc.record({
			type: fc.constantFrom(...TYPES),
			required: fc.boolean(),
			partnerType,
		}),
		{ minLength: 3, maxLength: 7 },
	)
	.map((some) =>
		some.map(({ type, ...more }, at) => field(at + 1, type, more)),
	);

function ruleBetween(
	id: number,
	trigger: Field,
	target: Field,
): fc.Arbitrary<Rule> {
	const ends = { triggerId: trigger.id, targetId: target.id };
	const kind = trigger.type === "multi_select" ? 2 : 3;
	return fc
		.record({
			kind: fc.constantFrom(
				...(["visibility", "set_value", "value_map"] as const).slice(0, kind),
			),
			operator: fc.constantFrom(
				"equals" as const,
				"not_equals" as const,
				"is_blank" as const,
				"is_not_blank" as const,
			),
			triggerValue: valuesOf(trigger),
			value: valuesOf(target),
			lock: fc.boolean(),
			partnerType,
		})
		.map(({ kind, value, lock, ...one }) => {
			const isMap = kind === "value_map";
			const { triggerValue } = one;
			const key =
				typeof triggerValue === "object" && "text" in triggerValue
					? triggerValue.text
					: String(triggerValue);
			return rule(id, {
				...one,
				...ends,
				kind,
				lock: lock && kind !== "visibility",
				value: kind === "set_value" ? value : null,
				map: isMap ? new Map([[key, value]]) : null,
				...(isMap && { operator: "is_not_blank", triggerValue: null }),
			});
		});
}

function withoutCircles(rules: readonly Rule[]): Rule[] {
	const kept: Rule[] = [];
	for (const candidate of rules)
		if (!findCycle(candidate, kept)) kept.push(candidate);
	return kept;
}

/** A set of fields and rules without cycles. */
export const sets: fc.Arbitrary<FieldSet> = fields.chain((all) =>
	fc
		.array(fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all)), {
			maxLength: 8,
		})
		.chain((pairs) =>
			fc.tuple(...pairs.map(([a, b], at) => ruleBetween(at + 1, a, b))),
		)
		.map((rules) => ({
			fields: all,
			country: "GB",
			rules: withoutCircles(rules),
		})),
);

export const submissionsOf = (set: FieldSet): fc.Arbitrary<Submission[]> =>
	fc
		.subarray([...set.fields])
		.chain((some) =>
			fc
				.tuple(...some.map(givenOf))
				.map((values) =>
					some.map(({ uuid }, at) => ({ uuid, value: values[at] })),
				),
		);

/** The stored values after writes. */
export function applyWrites(
	stored: ReadonlyMap<number, Stored>,
	writes: readonly { field: Field; to: Stored | null }[],
): Map<number, Stored> {
	const after = new Map(stored);
	for (const { field, to } of writes) {
		if (to) after.set(field.id, to);
		else after.delete(field.id);
	}
	return after;
}
