/** A map that forgets: of what was set last it holds at least `size` keys, of all at most twice as many. */
export interface BoundedMap<V> {
	get(key: string): V | undefined;
	set(key: string, value: V): void;
}

/**
 * Creates a bounded map of two generations. Deleting the oldest key of one Map instead would cost a walk over the holes that earlier
 * deletions left: 20 µs a time at 100,000 keys.
 */
export function createBoundedMap<V>(size: number): BoundedMap<V> {
	let young = new Map<string, V>();
	let old = new Map<string, V>();
	return {
		get: (key) => young.get(key) ?? old.get(key),
		set(key, value) {
			young.set(key, value);
			if (young.size < size) return;
			old = young;
			young = new Map();
		},
	};
}
