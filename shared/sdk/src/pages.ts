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
 * Reads the records of a list, over all its pages. A record that is created meanwhile can move others between pages.
 *
 * @example
 * for await (const lead of items(client.listLeads, { query: { search: "globex" } })) console.log(lead.uuid);
 */
export async function* items<Call extends PagedCall, Item>(
	list: ListMethod<Call, Item>,
	call: Call,
	options?: CallOptions,
): AsyncGenerator<Item, void> {
	for await (const { data } of pages(list, call, options)) yield* data;
}
