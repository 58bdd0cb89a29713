import type {
	CustomFieldCategory,
	CustomFieldRuleKind,
	CustomFieldRuleOperator,
	CustomFieldType,
	ErrorDetail,
	PartnerType,
} from "@partnerwire/contract";

/** A value in its canonical form, which is how it is stored and returned (decisions §5). Blank is null. */
export type Value =
	| { readonly text: string }
	| number
	| string
	| boolean
	| readonly number[];

/** A custom field, as enforcing knows it. */
export interface Field {
	readonly id: number;
	readonly uuid: string;
	readonly label: string;
	readonly type: CustomFieldType;
	readonly category: CustomFieldCategory;
	/** Null for every partner type. */
	readonly partnerType: PartnerType | null;
	readonly required: boolean;
	/** Labels by option id, in their order. */
	readonly options: ReadonlyMap<number, string>;
}

/** An active rule between two fields, by their ids. */
export interface Rule {
	readonly id: number;
	readonly partnerType: PartnerType | null;
	readonly kind: CustomFieldRuleKind;
	readonly triggerId: number;
	readonly operator: CustomFieldRuleOperator;
	/** What the operator compares with; of `in`, a list. */
	readonly triggerValue: Value | readonly Value[] | null;
	readonly targetId: number;
	/** Of `set_value`. */
	readonly value: Value | null;
	/** Of `value_map`: the target's value by the trigger's, spelled by `toMapKey`. */
	readonly map: ReadonlyMap<string, Value> | null;
	readonly lock: boolean;
}

/** All that a company configured. Its identity stands for its content: it is never changed, only replaced. */
export interface FieldSet {
	readonly fields: readonly Field[];
	readonly rules: readonly Rule[];
	/** The account's country, which national phone numbers need. */
	readonly country: string | null;
}

/** Where values are written: a kind of record of a partner type. */
export interface Surface {
	readonly category: CustomFieldCategory;
	readonly partnerType: PartnerType;
	readonly mode: "create" | "update";
}

/** A value that a record has, by its field's id. Null is a blank that somebody submitted. */
export interface Stored {
	readonly value: Value | null;
	/** True for a value that a rule wrote. */
	readonly byRule: boolean;
}

/** One submitted value, by its field's uuid. */
export interface Submission {
	readonly uuid: string;
	readonly value: unknown;
	/** `given` unless it is: `removed` is a DELETE, `left_out` a field that a full set does not mention. */
	readonly how?: "removed" | "left_out";
}

/** What to store of a field; without a value its row goes. */
export interface FieldWrite {
	readonly field: Field;
	readonly to: Stored | null;
}

export type Reason =
	| "missing_required"
	| "required_cannot_blank"
	| "hidden_by_rule"
	| "locked_by_rule"
	| "not_accessible"
	| "unknown_field"
	| "invalid_value"
	| "invalid_option";

/** Why a field is refused, in the members that the spec gives `details` (Errors: rule 2). */
export interface Violation extends ErrorDetail {
	readonly reason: Reason;
}

type Comparable = Value | readonly Value[] | null;

/** Whether two canonical values, or lists of them, are the same. */
export function isSame(a: Comparable, b: Comparable): boolean {
	if (a === b) return true;
	if (typeof a !== "object" || typeof b !== "object" || !a || !b) return false;
	if ("text" in a || "text" in b)
		return "text" in a && "text" in b && a.text === b.text;
	return (
		a.length === b.length && a.every((item, at) => isSame(item, b[at] as Value))
	);
}
