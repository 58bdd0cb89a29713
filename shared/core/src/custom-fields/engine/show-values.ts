import type { CustomFieldValue } from "@partnerwire/contract";
import type { AuditChange } from "../../db/tables/system.ts";
import { applyRules } from "./apply-rules.ts";
import type { Entries } from "./entries.ts";
import {
	type Field,
	type FieldSet,
	isSame,
	type Surface,
	type Value,
} from "./model.ts";
import { scopeOf } from "./scope.ts";

/** A blank as it is returned: `[]` of a `multi_select`, null of every other type. */
export const toShownValue = (
	{ type }: Pick<Field, "type">,
	value: Value | null,
): unknown => value ?? (type === "multi_select" ? [] : null);

/** The fields of a surface that are not hidden with these stored values, in their order. */
export function visibleFields(
	set: FieldSet,
	surface: Omit<Surface, "mode">,
	entries: Entries,
): readonly Field[] {
	const { shown, fields } = scopeOf(set, surface);
	if (shown.targets.length === 0) return fields;
	const answers = new Map<number, Value | null>();
	for (const [id, { value }] of entries) answers.set(id, value);
	const { states } = applyRules(shown, answers);
	return fields.filter(({ id }) => states.get(id)?.visible ?? true);
}

/** The values of a record as the API shows them: of the fields that are not hidden, in their order. */
export function showValues(
	set: FieldSet,
	surface: Omit<Surface, "mode">,
	entries: Entries,
): CustomFieldValue[] {
	if (entries.size === 0) return [];
	const values: CustomFieldValue[] = [];
	for (const field of visibleFields(set, surface, entries)) {
		const entry = entries.get(field.id);
		if (!entry) continue;
		const { uuid, label, type } = field;
		values.push({ uuid, label, type, value: toShownValue(field, entry.value) });
	}
	return values;
}

/** A value as the audit log shows it: with the labels of options (docs/contract.md#versioning). */
function toAudited(field: Field, value: Value | null): unknown {
	if (value === null) return null;
	if (typeof value === "object" && "text" in value) return value.text;
	const labelOf = (id: number) => field.options.get(id) ?? id;
	if (field.type === "select") return labelOf(value as number);
	return Array.isArray(value) ? value.map(labelOf) : value;
}

const HIDDEN = "(hidden)";

/**
 * The audit entries of the custom fields that an operation changed, under their labels. An entry of a hidden field
 * has the label, not the value.
 *
 * @param wasVisible whether the field of this id was visible before the change
 * @param isVisible whether it is visible after it
 */
export function toFieldChanges(
	entity: string,
	fields: readonly Field[],
	before: Entries,
	after: Entries,
	wasVisible: (id: number) => boolean,
	isVisible: (id: number) => boolean,
): AuditChange[] {
	const changes: AuditChange[] = [];
	for (const field of fields) {
		const { id, uuid, label } = field;
		const old = before.get(id)?.value ?? null;
		const now = after.get(id)?.value ?? null;
		if (isSame(old, now)) continue;
		const tell = (value: Value | null, isShown: boolean) =>
			value === null || isShown ? toAudited(field, value) : HIDDEN;
		changes.push({
			entity,
			field: "custom_field",
			old: tell(old, wasVisible(id)),
			new: tell(now, isVisible(id)),
			label,
			ref_uuid: uuid,
		});
	}
	return changes;
}
