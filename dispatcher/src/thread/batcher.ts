/**
 * Collects what is added while events are handled, and hands it over together once they are: a message to another thread
 * costs several microseconds, whatever is in it.
 */
export function createBatcher<Item>(handOver: (items: Item[]) => void): {
	add(item: Item): void;
	/** Hands over at once what is there. */
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
