import type { CustomFieldValue } from "@partnerwire/contract";
import type { AuditChange } from "../db/tables/system.ts";
import {
	type Field,
	type FieldSet,
	isSame,
	type Stored,
	type Surface,
	type Value,
} from "./model.ts";
import { scopeOf } from "./scope.ts";
import { settleRules } from "./settle-rules.ts";

/** A blank as it is returned: `[]` of a `multi_select`, null of every other type. */
export const toShownValue = (
	{ type }: Pick<Field, "type">,
	value: Value | null,
): unknown => value ?? (type === "multi_select" ? [] : null);

/** The fields of a surface that are not hidden, in their order, judged by what is stored. */
export function visibleFields(
	set: FieldSet,
	surface: Omit<Surface, "mode">,
	rows: readonly (Stored & { fieldId: number })[],
): Field[] {
	const scope = scopeOf(set, surface);
	const own = new Map(rows.map(({ fieldId, value }) => [fieldId, value]));
	const { states } = settleRules(scope.shown, own);
	return scope.fields.filter(({ id }) => states.get(id)?.visible ?? true);
}

/** The values of a record as it shows them: of the fields that are not hidden, in their order. */
export function showValues(
	set: FieldSet,
	surface: Omit<Surface, "mode">,
	rows: readonly (Stored & { fieldId: number })[],
): CustomFieldValue[] {
	if (rows.length === 0) return [];
	const values = new Map(rows.map(({ fieldId, value }) => [fieldId, value]));
	return visibleFields(set, surface, rows).flatMap((field) => {
		const value = values.get(field.id);
		if (value === undefined) return [];
		const { uuid, label, type } = field;
		return [{ uuid, label, type, value: toShownValue(field, value) }];
	});
}

/** A value as the audit log shows it: options by their labels (spec 1.3.0). */
function toAudited(field: Field, value: Value | null): unknown {
	if (value === null) return null;
	if (typeof value === "object" && "text" in value) return value.text;
	const labelOf = (id: number) => field.options.get(id) ?? id;
	if (field.type === "select") return labelOf(value as number);
	return Array.isArray(value) ? value.map(labelOf) : value;
}

const HIDDEN = "(hidden)";

/**
 * The audit's entries on the custom fields that an operation changed, under their labels.
 *
 * @param isVisible what is hidden before and after is told by its label alone
 */
export function toFieldChanges(
	entity: string,
	fields: readonly Field[],
	before: ReadonlyMap<number, Value | null>,
	after: ReadonlyMap<number, Value | null>,
	isVisible: (id: number) => boolean,
): AuditChange[] {
	return fields.flatMap((field) => {
		const old = before.get(field.id) ?? null;
		const now = after.get(field.id) ?? null;
		if (isSame(old, now)) return [];
		const show = (value: Value | null) =>
			value === null || isVisible(field.id) ? toAudited(field, value) : HIDDEN;
		return [
			{
				entity,
				field: "custom_field",
				old: show(old),
				new: show(now),
				label: field.label,
				ref_uuid: field.uuid,
			},
		];
	});
}
