/** The place after all the others. */
export const nextSortOrder = (
	others: readonly { sort_order: number }[],
): number => Math.max(0, ...others.map(({ sort_order }) => sort_order)) + 1;
