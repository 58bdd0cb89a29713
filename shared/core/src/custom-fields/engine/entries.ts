import type { Value } from "./model.ts";
import type { ValueRow } from "./stored-values.ts";

/** The stored values of a record by their fields' ids. */
export type Entries = ReadonlyMap<number, ValueRow>;

/** `byRule` is left out if no rule wrote the value, and the times if they equal the row's time. */
type Entry = readonly [
	value: Value | null,
	byRule?: 0 | 1,
	createdAt?: number,
	updatedAt?: number,
];

/**
 * Converts entries to text such as `{"12":[5],"13":[null,0,1764239101000,1764239102000]}`. Quotes within texts are
 * escaped, so that a search for `mentionOf` never matches inside a text.
 *
 * @param rowMs when the row of values was made
 */
export function toJson(entries: Entries, rowMs: number): string {
	const stored: Record<string, Entry> = {};
	for (const [id, { value, byRule, createdAt, updatedAt }] of entries) {
		const flag = byRule ? 1 : 0;
		if (createdAt !== rowMs || updatedAt !== rowMs)
			stored[id] = [value, flag, createdAt, updatedAt];
		else stored[id] = byRule ? [value, flag] : [value];
	}
	return JSON.stringify(stored);
}

export function fromJson(json: string, rowMs: number): Map<number, ValueRow> {
	const stored: Record<string, Entry> = JSON.parse(json);
	const entries = new Map<number, ValueRow>();
	for (const id of Object.keys(stored)) {
		const [value, byRule, createdAt = rowMs, updatedAt = rowMs] = stored[
			id
		] as Entry;
		const fieldId = Number(id);
		entries.set(fieldId, {
			fieldId,
			value,
			byRule: byRule === 1,
			createdAt,
			updatedAt,
		});
	}
	return entries;
}

/** The text that the JSON of a record contains if it has a value or a submitted blank of the field. */
export const mentionOf = (fieldId: number): string => `"${fieldId}":[`;
/** The text that it contains if that is a blank. */
export const blankOf = (fieldId: number): string => `${mentionOf(fieldId)}null`;
