/** The rows of a page without `per_page` and `limit` (docs/decisions.md#reports-rows). */
const ROWS = 25;

/** The page that a report's query asks for. `limit` bounds all pages, and is the size of a page without `per_page`. */
export const toPageRequest = (
	query: {
		page: number;
		per_page?: number | undefined;
		limit?: number | undefined;
	},
	sort: string,
) => ({
	page: query.page,
	per_page: query.per_page ?? query.limit ?? ROWS,
	limit: query.limit,
	sort,
});
