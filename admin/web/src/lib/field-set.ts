import type { ConfigurationEntry } from "@partnerwire/contract";

/** An editor's copy: what is stored is never changed in place. */
export const copyConfiguration = (
	entries: readonly ConfigurationEntry[],
): ConfigurationEntry[] =>
	entries.map(({ id, selected }) => ({
		id,
		selected: selected.map((one) => ({ ...one })),
	}));

/** Members whose value differs from what is stored: what a PATCH has to say. */
export function toChanges<Value extends object>(
	before: Value,
	after: Value,
): Partial<Value> {
	const changed = (Object.keys(after) as (keyof Value)[]).filter(
		(name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
	);
	return Object.fromEntries(
		changed.map((name) => [name, after[name]]),
	) as Partial<Value>;
}
