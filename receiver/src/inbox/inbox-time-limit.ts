import { withTimeLimit } from "../common/time-limit.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";
import type { InboxStore } from "./inbox-store.ts";

/** What the worker uses of a store. */
export type WorkerStore = Pick<
	InboxStore,
	"take" | "extend" | "settle" | "purge"
>;

const LATE = Symbol("late");

/** The answer, or an error once the time is over: a connection whose network is gone can hang for hours without one. */
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

/** A store for the worker: what it does not answer in time failed, and what it answers later is left to the leases. */
export function limitStore(store: InboxStore, limitMs: number): WorkerStore {
	return {
		take: (request) => inTime(store.take(request), limitMs),
		extend: (ticket, leaseMs) => inTime(store.extend(ticket, leaseMs), limitMs),
		settle: (ticket, settlement) =>
			inTime(store.settle(ticket, settlement), limitMs),
		purge: () => inTime(store.purge(), limitMs),
	};
}
