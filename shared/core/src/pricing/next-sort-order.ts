/** The `sort_order` after all others. */
export const nextSortOrder = (
	others: readonly { sort_order: number }[],
): number => Math.max(0, ...others.map(({ sort_order }) => sort_order)) + 1;
