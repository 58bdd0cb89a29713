/* Prints a list of the API: all pages, or as many items as are wanted. */
import { items } from "@partnerwire/sdk";
import type { Output } from "./output.ts";
import { untilReaderGone } from "./standard-streams.ts";

interface Page<Item> {
	readonly data: readonly Item[];
	readonly pagination: { readonly page: number; readonly total_pages: number };
}

interface PrintOptions<Item> {
	readonly output: Output;
	readonly toLine: (item: Item) => string;
	/** For people, if the list is empty. */
	readonly empty: string;
	readonly limit?: number;
}

const MOST_PER_PAGE = 100;

/** Prints each item once. It ends early if the reader of the output is gone. */
export async function printPages<Item extends Record<string, unknown>>(
	fetchPage: (query: { page: number; per_page: number }) => Promise<Page<Item>>,
	{
		output,
		toLine,
		empty,
		limit = Number.POSITIVE_INFINITY,
	}: PrintOptions<Item>,
): Promise<void> {
	const query = { page: 1, per_page: Math.min(limit, MOST_PER_PAGE) };
	const readerGone = untilReaderGone();
	let printed = 0;
	for await (const item of items((call) => fetchPage(call.query), { query })) {
		output.say(item, toLine(item));
		if (++printed >= limit || readerGone.aborted) return;
	}
	if (printed === 0) output.tell(empty);
}
