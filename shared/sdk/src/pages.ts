/* Reads lists of many pages. */
import type { Pagination } from "@partnerwire/contract";
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

/** The API's most. No list is so long that its end so far is a multiple of all sizes up to this one. */
const MOST_PER_PAGE = 100;
/** Sizes up to so many times the wanted one make about as many requests as pages without an overlap. */
const SLACK = 1.5;
/** Of a list in another order, so many of the last ids are kept. */
const MOST_IDS = 100_000;

/** The lists of clients that are in the order in which records were created. */
const byCreation = new WeakSet<object>();
export const markByCreation = (list: object): void => void byCreation.add(list);

/**
 * Reads the records of a list, each of them once, whatever is added meanwhile. A list in the order of `created_at`, which most
 * are by default, misses none either when its records are archived, deleted or no longer match
 * (docs/sdk.md#lists-that-change). The pages after the first may be up to half as long again.
 *
 * @example
 * for await (const lead of items(client.listLeads, { query: { search: "globex" } })) console.log(lead.uuid);
 */
export async function* items<Call extends PagedCall, Item extends object>(
	list: ListMethod<Call, Item>,
	call: Call,
	options?: CallOptions,
): AsyncGenerator<Item, void> {
	const { sort = "-created_at" } = (call.query ?? {}) as { sort?: unknown };
	if (byCreation.has(list) && /^-?created_at$/.test(String(sort)))
		return yield* itemsByCreation(list, call, sort === "created_at", options);
	const seen = new Set<unknown>();
	for await (const { data } of pages(list, call, options))
		for (const item of data) {
			const { uuid, id = uuid } = item as { uuid?: unknown; id?: unknown };
			if (id !== undefined && seen.has(id)) continue;
			seen.add(id);
			for (const first of seen) {
				if (seen.size <= MOST_IDS) break;
				seen.delete(first);
			}
			yield item;
		}
}

interface Created {
	readonly created_at: string;
	readonly uuid: string;
}

/** The order of the API: records of one time are in that of their uuids. */
const isAfter = (one: Created, other: Created, ascending: boolean): boolean =>
	one.created_at === other.created_at
		? one.uuid > other.uuid
		: one.created_at > other.created_at === ascending;

/**
 * Each page begins with a record that was read before, or with what came before it. One that does not shows that records were
 * taken out of the list, and others moved to the pages before: those are read again.
 */
async function* itemsByCreation<Call extends PagedCall, Item extends object>(
	list: ListMethod<Call, Item>,
	call: Call,
	ascending: boolean,
	options?: CallOptions,
): AsyncGenerator<Item, void> {
	let last: Created | undefined;
	let lastTotal = 0;
	let wanted: number | undefined;
	let asked: object = {};
	for (;;) {
		const { data, pagination } = await list(
			{ ...call, query: { ...call.query, ...asked } },
			options,
		);
		const { page, per_page: size, total } = pagination as Pagination;
		wanted ??= size;
		const first = data[0] as Created | undefined;
		const start = (page - 1) * size;
		let read = start + size;
		if (last && start > 0 && (!first || isAfter(first, last, ascending)))
			read = Math.max(0, start - Math.max(size, lastTotal - total));
		else {
			for (const item of data) {
				// The records of the lists in this order have both members: the table of operations says so.
				const created = item as unknown as Created;
				if (last && !isAfter(created, last, ascending)) continue;
				last = created;
				yield item;
			}
			if (read >= total) return;
		}
		lastTotal = total;
		asked = toOverlapping(read, wanted);
	}
}

/** The page that begins before the end of what was read, and ends furthest behind it. */
function toOverlapping(read: number, wanted: number) {
	let best = { page: 1, per_page: wanted };
	if (read === 0) return best;
	let end = 0;
	for (let size = 1; size <= MOST_PER_PAGE; size++) {
		const page = Math.ceil(read / size);
		if (size > wanted * SLACK && end > read) break;
		if (page * size <= end) continue;
		end = page * size;
		best = { page, per_page: size };
	}
	return best;
}
