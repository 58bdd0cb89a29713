/* The cache of keys, tokens and secrets that a worker uses again. */
import { LRUCache } from "lru-cache";

/** The most entries. Beyond it the least recently used goes. */
const MOST = 10_000;
/** How long an entry stays that nobody uses. */
const KEPT_MS = 60_000;

/** A cache of what was made from secrets. It forgets those of integrations that are paused, deleted or quiet. */
export interface SecretCache<Key, Value> {
	get(key: Key): Value | undefined;
	set(key: Key, value: Value): void;
	readonly size: number;
}

export function createSecretCache<
	Key extends string | number,
	Value extends object,
>(): SecretCache<Key, Value> {
	const cache = new LRUCache<Key, Value>({
		max: MOST,
		ttl: KEPT_MS,
		ttlResolution: 1000,
		updateAgeOnGet: true,
		// Looked up at each call, so that a test can give the time.
		perf: { now: () => performance.now() },
	});
	let isArmed = false;
	// One timer for all entries, and none for an empty cache, so that nothing needs to be closed.
	const arm = () => {
		if (isArmed) return;
		isArmed = true;
		setTimeout(purge, KEPT_MS).unref();
	};
	const purge = () => {
		isArmed = false;
		cache.purgeStale();
		if (cache.size > 0) arm();
	};
	return {
		get: (key) => cache.get(key),
		set(key, value) {
			cache.set(key, value);
			arm();
		},
		get size() {
			return cache.size;
		},
	};
}
