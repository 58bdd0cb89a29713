import type { Value } from "./model.ts";
import type { ValueRow } from "./stored-values.ts";

/** The stored values of a record by their fields' ids. */
export type Entries = ReadonlyMap<number, ValueRow>;

type Entry = readonly [
	value: Value | null,
	byRule: 0 | 1,
	createdAt: number,
	updatedAt: number,
];

/** `{"12":[5,0,1764239101000,1764239101000]}`: quotes within texts are escaped, so that `mentionOf` finds no text. */
export function toJson(entries: Entries): string {
	const stored: Record<string, Entry> = {};
	for (const [id, { value, byRule, createdAt, updatedAt }] of entries)
		stored[id] = [value, byRule ? 1 : 0, createdAt, updatedAt];
	return JSON.stringify(stored);
}

export function fromJson(json: string): Map<number, ValueRow> {
	const stored: Record<string, Entry> = JSON.parse(json);
	const entries = new Map<number, ValueRow>();
	for (const id of Object.keys(stored)) {
		const [value, byRule, createdAt, updatedAt] = stored[id] as Entry;
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
