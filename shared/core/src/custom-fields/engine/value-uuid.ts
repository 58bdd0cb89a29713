import { defineDerivedUuid } from "../../values/derived-uuid.ts";

/** A value has no row of its own, which would make a lead with 30 of them four times as dear to create. */
const values = defineDerivedUuid("8");

/** The uuid of a record's value of a field. */
export const toValueUuid = values.to;

/** What a value's uuid names; null for a uuid that is none of a value. */
export function fromValueUuid(
	uuid: string,
): { valuesId: number; fieldId: number } | null {
	const named = values.from(uuid);
	return named && { valuesId: named.id, fieldId: named.number };
}
