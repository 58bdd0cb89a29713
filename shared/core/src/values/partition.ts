/** Splits items into those that meet a condition and the others, keeping their order. */
export function partition<Item>(
	items: readonly Item[],
	isFirst: (item: Item) => boolean,
): readonly [Item[], Item[]] {
	const [first, second]: [Item[], Item[]] = [[], []];
	for (const item of items) (isFirst(item) ? first : second).push(item);
	return [first, second];
}
