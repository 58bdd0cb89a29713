import type {
	CustomFieldCategory,
	CustomFieldRuleKind,
	CustomFieldRuleOperator,
	CustomFieldType,
	ErrorDetail,
	PartnerType,
} from "@partnerwire/contract";

/** A value as it is stored and returned (docs/custom-fields.md#values-and-their-types). A blank is null. */
export type Value =
	| { readonly text: string }
	| number
	| string
	| boolean
	| readonly number[];

/** The parts of a custom field that enforcing reads. */
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
	/** The value that the operator compares with; a list for `in`. */
	readonly triggerValue: Value | readonly Value[] | null;
	readonly targetId: number;
	/** Only for `set_value`. */
	readonly value: Value | null;
	/** Only for `value_map`: the target's value by the trigger's value, as `toMapKey` writes it. */
	readonly map: ReadonlyMap<string, Value> | null;
	readonly lock: boolean;
}

/** All fields and rules of a company. A set is never changed, only replaced, so that it can be a cache key. */
export interface FieldSet {
	readonly fields: readonly Field[];
	readonly rules: readonly Rule[];
	/** The account's country, which national phone numbers need. */
	readonly country: string | null;
}

/** The place where values are written: a kind of record, of a partner type. */
export interface Surface {
	readonly category: CustomFieldCategory;
	readonly partnerType: PartnerType;
	readonly mode: "create" | "update";
}

/** A stored value of a record. A null value is a blank that somebody submitted. */
export interface Stored {
	readonly value: Value | null;
	/** True for a value that a rule wrote. */
	readonly byRule: boolean;
}

/** One submitted value, by its field's uuid. */
export interface Submission {
	readonly uuid: string;
	readonly value: unknown;
	/** Left out for a submitted value. `removed` is a DELETE, `left_out` a field that a full set does not mention. */
	readonly how?: "removed" | "left_out";
}

/** A write of one field; null removes the stored value. */
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

/** Why a field is refused, as an entry of `details` (docs/contract.md#errors). */
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
