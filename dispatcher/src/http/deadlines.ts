import { createLinkedList, type Place } from "./linked-list.ts";

/** An item's time limit, by which the item is forgotten. */
export type Deadline<Item> = Place<Limited<Item>>;

interface Limited<Item> {
	readonly item: Item;
	readonly expiresAt: number;
}

/** Tracks items that share one time limit, with one timer for all of them. */
export interface Deadlines<Item> {
	add(item: Item, nowMs: number): Deadline<Item>;
	delete(deadline: Deadline<Item>): void;
	/** Drops everything and stops the timer. */
	clear(): void;
}

/**
 * Calls `expire` for each item that is still there `limitMs` after it was added. One limit means that items expire in
 * the order in which they were added, so a list and one coarse timer do; a timer or AbortSignal per request halves the
 * throughput (versions.md: 34 k/s against 15 k/s).
 */
export function createDeadlines<Item>(
	limitMs: number,
	expire: (item: Item) => void,
): Deadlines<Item> {
	let deadlines = createLinkedList<Limited<Item>>();
	let timer: NodeJS.Timeout | undefined;

	// The sockets keep the process alive for as long as an item matters.
	const arm = (delayMs: number) => {
		timer = setTimeout(sweep, Math.max(1, Math.ceil(delayMs))).unref();
	};
	const sweep = () => {
		const now = performance.now();
		for (;;) {
			const { first } = deadlines;
			if (!first) {
				timer = undefined;
				return;
			}
			const { item, expiresAt } = first.value;
			if (expiresAt > now) return arm(expiresAt - now);
			deadlines.remove(first);
			expire(item);
		}
	};

	return {
		add(item, nowMs) {
			if (!timer) arm(limitMs);
			return deadlines.add({ item, expiresAt: nowMs + limitMs });
		},
		delete: (deadline) => deadlines.remove(deadline),
		clear() {
			clearTimeout(timer);
			timer = undefined;
			deadlines = createLinkedList();
		},
	};
}
