/** A place in a list, by which its value is removed. */
export interface Place<Value> {
	readonly value: Value;
	isIn: boolean;
	previous: Place<Value> | null;
	next: Place<Value> | null;
}

export interface LinkedList<Value> extends Iterable<Value> {
	readonly size: number;
	/** The place of the value that was added first of those that are there. */
	readonly first: Place<Value> | null;
	add(value: Value): Place<Value>;
	/** A place that was removed before is left alone. */
	remove(place: Place<Value>): void;
}

/**
 * Values in the order in which they were added, for what comes and goes thousands of times a second. A Map or Set keeps the
 * tables that it has outgrown reachable from the old generation, and with them what they held: for attempts that was 13 µs
 * of garbage collection each, where this takes 2.
 */
export function createLinkedList<Value>(): LinkedList<Value> {
	let first: Place<Value> | null = null;
	let last: Place<Value> | null = null;
	let size = 0;
	return {
		get size() {
			return size;
		},
		get first() {
			return first;
		},
		add(value) {
			const place: Place<Value> = {
				value,
				isIn: true,
				previous: last,
				next: null,
			};
			if (last) last.next = place;
			else first = place;
			last = place;
			size++;
			return place;
		},
		remove(place) {
			if (!place.isIn) return;
			place.isIn = false;
			const { previous, next } = place;
			if (previous) previous.next = next;
			else first = next;
			if (next) next.previous = previous;
			else last = previous;
			place.previous = null;
			place.next = null;
			size--;
		},
		*[Symbol.iterator]() {
			let place = first;
			while (place) {
				// A value may be removed while the list is gone through.
				const { next, value } = place;
				yield value;
				place = next;
			}
		},
	};
}
