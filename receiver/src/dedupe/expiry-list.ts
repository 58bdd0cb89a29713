/** A member of an expiry list; its links are the list's own. */
export interface Expiring<T> {
	expiresAt: number;
	older?: T | undefined;
	newer?: T | undefined;
}

/** A doubly linked list in order of insertion: for records of one lifetime that is the order in which they expire. */
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
			// A dead entry in the old generation would keep its neighbours, and theirs, from being collected with the young.
			entry.older = undefined;
			entry.newer = undefined;
			size--;
		},
	};
}
