import type { EventContext, Handler } from "./context-types.ts";
import { withTimeLimit } from "./time-limit.ts";

/** How the handlers of one event ended. */
export type Ending =
	| { state: "done" }
	| { state: "threw"; error: unknown }
	/** The deadline passed; `done` tells later whether they succeeded. */
	| { state: "late"; done: Promise<boolean> };

const DONE: Ending = { state: "done" };

async function runAll(
	handlers: readonly Handler[],
	context: EventContext,
): Promise<void> {
	// One after the other, in order of registration: the claim covers them all, so all must succeed.
	for (const handler of handlers) await handler(context);
}

/** Runs the handlers within the time that is left, then aborts their signal (case G01); whatever they throw is an ending (case G03). */
export function runHandlers(
	handlers: readonly Handler[],
	context: EventContext,
	remainingMs: number,
	abort: () => void,
): Promise<Ending> {
	const work = runAll(handlers, context).then(
		() => DONE,
		(error): Ending => ({ state: "threw", error }),
	);
	return withTimeLimit(work, remainingMs, (): Ending => {
		abort();
		return { state: "late", done: work.then((end) => end.state === "done") };
	});
}

/** Serialises work by key inside this process (case G13). */
export function createQueue() {
	const tails = new Map<string, Promise<unknown>>();
	return async function enqueue<T>(
		key: string,
		work: () => Promise<T>,
	): Promise<T> {
		const previous = tails.get(key) ?? Promise.resolve();
		const mine = previous.then(work, work);
		tails.set(key, mine);
		try {
			return await mine;
		} finally {
			if (tails.get(key) === mine) tails.delete(key);
		}
	};
}
