import type { CallOptions } from "./create-client.ts";

interface PageOf<Item> {
	readonly data: readonly Item[];
	readonly pagination: { readonly page: number; readonly total_pages: number };
}

/** Named by no member of a query: a call that filters and names no page has none in common with such a type, and would be refused. */
interface PagedCall {
	readonly query?: object;
}

type ListMethod<Call, Item> = (
	call: Call,
	options?: CallOptions,
) => Promise<PageOf<Item>>;

/**
 * The pages of a list, one request each, beginning with the page that the call asks for.
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
 * The records of a list, over all its pages. A record that is written meanwhile can shift others to a page already read.
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
