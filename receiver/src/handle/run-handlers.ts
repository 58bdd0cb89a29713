import type { EventContext, Handler } from "../common/context-types.ts";
import { withTimeLimit } from "../common/time-limit.ts";
import { nameOf, type ReportOptions, tellError } from "../report/tell.ts";
import type { Delivery } from "./context.ts";

/** How the handlers of one event ended. */
export type Ending =
	| { state: "done" }
	| { state: "threw"; error: unknown }
	/** The deadline passed. `end` resolves when the handlers end. */
	| { state: "late"; end: Promise<Ending> };

const DONE: Ending = { state: "done" };

async function runAll(
	handlers: readonly Handler[],
	context: EventContext,
): Promise<Ending> {
	try {
		// One after the other, in the order of registration. All must succeed, because one claim covers them all.
		for (const handler of handlers) await handler(context);
		return DONE;
	} catch (error) {
		return { state: "threw", error };
	}
}

/** Runs the handlers, and aborts their signal when the time is over. Never rejects: an error is an ending. */
export function runHandlers(
	handlers: readonly Handler[],
	context: EventContext,
	remainingMs: number,
	abort: () => void,
): Promise<Ending> {
	const work = runAll(handlers, context);
	return withTimeLimit(work, remainingMs, (): Ending => {
		abort();
		return { state: "late", end: work };
	});
}

/** Did handlers that passed their time limit succeed after all? Reports their error, unless the limit's abort caused it. */
export async function whenLate(
	o: ReportOptions,
	end: Promise<Ending>,
	{ state }: Delivery,
	context: EventContext,
): Promise<boolean> {
	const ending = await end;
	if (ending.state === "threw" && ending.error !== context.signal.reason)
		tellError(
			o,
			`${nameOf(state)}: the handler failed after its time limit.`,
			ending.error,
			context,
		);
	return ending.state === "done";
}

/** Runs work with the same key one after the other, within this process. */
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
