import type { Value } from "./model.ts";
import type { ValueRow } from "./stored-values.ts";

/** The stored values of a record by their fields' ids. */
export type Entries = ReadonlyMap<number, ValueRow>;

/** `byRule` and the times are left out where they say nothing: no rule wrote it, and it is as old as its row. */
type Entry = readonly [
	value: Value | null,
	byRule?: 0 | 1,
	createdAt?: number,
	updatedAt?: number,
];

/**
 * `{"12":[5],"13":[null,0,1764239101000,1764239102000]}`: quotes within texts are escaped, so that `mentionOf` finds no
 * text.
 *
 * @param rowMs when the record's row was made
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

/** What the JSON of a record holds that has a value of the field, or a blank that was submitted. */
export const mentionOf = (fieldId: number): string => `"${fieldId}":[`;
/** What it holds where that is a blank. */
export const blankOf = (fieldId: number): string => `${mentionOf(fieldId)}null`;
