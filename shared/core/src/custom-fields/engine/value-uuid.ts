import { defineDerivedUuid } from "../../values/derived-uuid.ts";

/** A value has no row of its own: with rows, creating a lead with 30 values would cost four times as much. */
const values = defineDerivedUuid("8");

/** The uuid of a record's value of a field. */
export const toValueUuid = values.to;

/** The row and the field that a value's uuid encodes; null for any other uuid. */
export function fromValueUuid(
	uuid: string,
): { valuesId: number; fieldId: number } | null {
	const named = values.from(uuid);
	return named && { valuesId: named.id, fieldId: named.number };
}
