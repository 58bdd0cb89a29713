/** A member of an expiry list. Only the list changes its links. */
export interface Expiring<T> {
	expiresAt: number;
	older?: T | undefined;
	newer?: T | undefined;
}

/** A doubly linked list in the order of insertion. Records with the same lifetime expire in this order. */
export interface ExpiryList<T> {
	readonly size: number;
	readonly oldest: T | undefined;
	append(entry: T): void;
	remove(entry: T): void;
}

/** Creates an empty list. */
export function createExpiryList<T extends Expiring<T>>(): ExpiryList<T> {
	let oldest: T | undefined;
	let newest: T | undefined;
	let size = 0;
	return {
		get size() {
			return size;
		},
		get oldest() {
			return oldest;
		},
		append(entry) {
			entry.older = newest;
			entry.newer = undefined;
			if (newest) newest.newer = entry;
			else oldest = entry;
			newest = entry;
			size++;
		},
		remove(entry) {
			if (entry.older) entry.older.newer = entry.newer;
			else oldest = entry.newer;
			if (entry.newer) entry.newer.older = entry.older;
			else newest = entry.older;
			// Links of a removed entry in V8's old generation would keep its neighbours, and theirs, from early collection.
			entry.older = undefined;
			entry.newer = undefined;
			size--;
		},
	};
}
