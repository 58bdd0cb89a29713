/** The items for which something is so, and the others, each in their order. */
export function partition<Item>(
	items: readonly Item[],
	isFirst: (item: Item) => boolean,
): readonly [Item[], Item[]] {
	const [first, second]: [Item[], Item[]] = [[], []];
	for (const item of items) (isFirst(item) ? first : second).push(item);
	return [first, second];
}
