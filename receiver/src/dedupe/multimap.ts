/**
 * A map from a key to several values. A single value is stored without a Set, which costs 200 bytes: nearly every key of a dedup
 * store has only one.
 */
export interface Multimap<T extends object> {
	get(key: string): Iterable<T>;
	add(key: string, value: T): void;
	delete(key: string, value: T): void;
}

const NONE: readonly never[] = [];

/** Creates an empty multimap. */
export function createMultimap<T extends object>(): Multimap<T> {
	const map = new Map<string, T | Set<T>>();
	return {
		get(key) {
			const held = map.get(key);
			if (!held) return NONE;
			return held instanceof Set ? held : [held];
		},
		add(key, value) {
			const held = map.get(key);
			if (!held) map.set(key, value);
			else if (held instanceof Set) held.add(value);
			else map.set(key, new Set([held, value]));
		},
		delete(key, value) {
			const held = map.get(key);
			if (held === value) map.delete(key);
			else if (held instanceof Set && held.delete(value) && held.size === 0)
				map.delete(key);
		},
	};
}
