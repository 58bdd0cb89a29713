import { withTimeLimit } from "../common/time-limit.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";
import type { InboxStore } from "./inbox-store.ts";

/** The methods of a store that the worker uses. */
export type WorkerStore = Pick<
	InboxStore,
	"take" | "extend" | "settle" | "purge"
>;

const LATE = Symbol("late");

/** The answer, or an error when the time is over. Without a limit, a connection can hang for hours after the network is gone. */
async function inTime<T>(
	answer: Awaitable<T>,
	limitMs: number,
): Promise<Awaited<T>> {
	const result = await withTimeLimit(
		Promise.resolve(answer),
		limitMs,
		() => LATE,
	);
	if (result === LATE)
		throw new Error(`the inbox did not answer for ${limitMs} ms`);
	return result as Awaited<T>;
}

/** Limits a store's time to answer. A later answer is ignored: an event that it took is tried again after its lease. */
export function limitStore(store: InboxStore, limitMs: number): WorkerStore {
	return {
		take: (request) => inTime(store.take(request), limitMs),
		extend: (ticket, leaseMs) => inTime(store.extend(ticket, leaseMs), limitMs),
		settle: (ticket, settlement) =>
			inTime(store.settle(ticket, settlement), limitMs),
		purge: () => inTime(store.purge(), limitMs),
	};
}
