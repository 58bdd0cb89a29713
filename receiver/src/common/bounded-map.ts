/** A map that forgets the oldest keys. It holds at least the newest `size` keys, and at most twice as many. */
export interface BoundedMap<V> {
	get(key: string): V | undefined;
	set(key: string, value: V): void;
}

/**
 * Creates a bounded map of two generations. Deleting the oldest key of a single Map would be slower, because it walks over the holes
 * of earlier deletions: 20 µs for each deletion at 100,000 keys.
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
