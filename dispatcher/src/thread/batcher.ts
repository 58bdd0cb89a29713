/**
 * Collects the items that are added in one turn of the event loop, and hands them over together: a message to another thread costs
 * several microseconds, whatever its size.
 */
export function createBatcher<Item>(handOver: (items: Item[]) => void): {
	add(item: Item): void;
	/** Hands over the collected items now. */
	flush(): void;
} {
	let items: Item[] = [];
	const flush = () => {
		if (items.length === 0) return;
		const all = items;
		items = [];
		handOver(all);
	};
	return {
		add(item) {
			if (items.push(item) === 1) setImmediate(flush);
		},
		flush,
	};
}
