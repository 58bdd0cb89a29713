/* Reads lists of many pages. */
import type { CallOptions } from "./create-client.ts";

interface PageOf<Item> {
	readonly data: readonly Item[];
	readonly pagination: { readonly page: number; readonly total_pages: number };
}

/** Names no member of `query`: TypeScript would then refuse a call that filters and sets no page. */
interface PagedCall {
	readonly query?: object;
}

type ListMethod<Call, Item> = (
	call: Call,
	options?: CallOptions,
) => Promise<PageOf<Item>>;

/**
 * Reads a list page by page, one request each, from the page that the call asks for.
 *
 * @example
 * for await (const { data, pagination } of pages(client.listLeads, { query: { per_page: 100 } })) …
 */
export async function* pages<Call extends PagedCall, Item>(
	list: ListMethod<Call, Item>,
	call: Call,
	options?: CallOptions,
): AsyncGenerator<PageOf<Item>, void> {
	const { page: first = 1 } = (call.query ?? {}) as { page?: unknown };
	for (let page = Number(first); ; page++) {
		const answer = await list(
			{ ...call, query: { ...call.query, page } },
			options,
		);
		yield answer;
		if (page >= answer.pagination.total_pages) return;
	}
}

/**
 * Reads the records of a list, over all its pages, each of them once: one that is created meanwhile moves others to the
 * next page, where they are passed over. One that leaves the list moves others to the page before, where they are missed: read
 * the list to its end before you archive its records (docs/sdk.md#lists-that-change).
 *
 * @example
 * for await (const lead of items(client.listLeads, { query: { search: "globex" } })) console.log(lead.uuid);
 */
export async function* items<Call extends PagedCall, Item extends object>(
	list: ListMethod<Call, Item>,
	call: Call,
	options?: CallOptions,
): AsyncGenerator<Item, void> {
	const seen = new Set<unknown>();
	for await (const { data } of pages(list, call, options))
		for (const item of data) {
			const { uuid, id = uuid } = item as { uuid?: unknown; id?: unknown };
			if (id !== undefined && seen.has(id)) continue;
			seen.add(id);
			yield item;
		}
}
