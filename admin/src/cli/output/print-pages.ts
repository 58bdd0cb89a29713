/* Prints a list of the API: all pages, or as many items as are wanted. */
import type { Output } from "./output.ts";
import { untilReaderGone } from "./standard-streams.ts";

interface Page<Item> {
	readonly data: readonly Item[];
	readonly pagination: {
		readonly total: number;
		readonly total_pages: number;
	};
}

interface PrintOptions<Item> {
	readonly output: Output;
	readonly toLine: (item: Item) => string;
	/** For people, if the list is empty. */
	readonly empty: string;
	readonly limit?: number;
}

const MOST_PER_PAGE = 100;

/** Prints each item. It ends early if the reader of the output is gone. */
export async function printPages<Item extends Record<string, unknown>>(
	fetchPage: (query: { page: number; per_page: number }) => Promise<Page<Item>>,
	{
		output,
		toLine,
		empty,
		limit = Number.POSITIVE_INFINITY,
	}: PrintOptions<Item>,
): Promise<void> {
	const per_page = Math.min(limit, MOST_PER_PAGE);
	const readerGone = untilReaderGone();
	let left = limit;
	for (
		let page = 1, pages = 1;
		page <= pages && left > 0 && !readerGone.aborted;
		page++
	) {
		const { data, pagination } = await fetchPage({ page, per_page });
		pages = pagination.total_pages;
		for (const item of data.slice(0, left)) output.say(item, toLine(item));
		left -= data.length;
		if (pagination.total === 0) output.tell(empty);
	}
}
