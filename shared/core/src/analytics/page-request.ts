/** How many rows a page has where the query says nothing (spec, Endpoints: conventions). */
const ROWS = 25;

/** The page that a report's query asks for: `limit` bounds all pages, and is the size of one without `per_page`. */
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
