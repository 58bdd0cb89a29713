import type { EventContext, Handler } from "../common/context-types.ts";
import { PermanentFailure } from "../common/permanent-failure.ts";
import { pause, withTimeLimit } from "../common/time-limit.ts";
import { createContext, type Delivery } from "../handle/context.ts";
import type { DeliverOptions } from "../handle/deliver.ts";
import { runHandlers, whenLate } from "../handle/run-handlers.ts";
import { nameOf, notify, tellError } from "../report/tell.ts";
import type { InboxSettled, ResolvedInboxOptions } from "./inbox.ts";
import { holdLease, type Lease } from "./inbox-lease.ts";
import type { InboxItem, Settlement } from "./inbox-store.ts";
import type { WorkerStore } from "./inbox-time-limit.ts";
import { fromStoredDelivery } from "./stored-delivery.ts";

/** Processes the events of an inbox, in this process. */
export interface InboxWorker {
	/** Says that there may be an event to process. */
	wake(): void;
	/** Takes no more events and waits for the handlers that run. When the time is over, it aborts their signals. */
	close(): Promise<void>;
}

const PURGE_EVERY_MS = 60_000;
/** The time that handlers get after their signal is aborted. */
const GRACE_MS = 1_000;
const ERROR_LENGTH = 500;

/** A handler's error as a short text that every engine can store. */
function describeError(error: unknown): string {
	const text =
		error instanceof Error ? `${error.name}: ${error.message}` : String(error);
	return text.slice(0, ERROR_LENGTH).replace(/[\0\p{Surrogate}]/gu, "\ufffd");
}

/** The pause after a failed attempt. It doubles up to a maximum, and half of it is random, so that retries do not come in waves. */
export function toRetryDelayMs(
	attempt: number,
	{ retryBaseMs, retryMaxMs, random }: ResolvedInboxOptions,
): number {
	const fullMs = Math.min(retryMaxMs, retryBaseMs * 2 ** (attempt - 1));
	return fullMs * (0.5 + random() / 2);
}

/** An event that was interrupted by closing is due at once. The attempt does not count. */
const toInterrupted = (item: InboxItem, error: string): Settlement => ({
	state: "pending",
	delayMs: 0,
	error,
	attempts: item.attempt - 1,
});

/** Starts to process an inbox, in the next turn of the event loop: until then the program registers its handlers. */
export function createInboxWorker(
	store: WorkerStore,
	handlers: ReadonlyMap<string, readonly Handler[]>,
	o: DeliverOptions,
	inbox: ResolvedInboxOptions,
): InboxWorker {
	const running = new Map<Promise<void>, () => void>();
	let isClosing = false;
	let isAborted = false;
	let isDown = false;
	let isWoken = false;
	let endRest: (() => void) | undefined;
	let purgedMs = Number.NEGATIVE_INFINITY;

	function wake(): void {
		isWoken = true;
		endRest?.();
	}

	/** Waits until there may be an event to process. */
	async function rest(): Promise<void> {
		if (!isWoken && !isClosing)
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, inbox.pollMs);
				endRest = () => {
					clearTimeout(timer);
					resolve();
				};
			});
		isWoken = false;
	}

	function tell(item: InboxItem, outcome: InboxSettled["outcome"]): void {
		const { id, eventId, attempt } = item;
		notify(o, "onSettled", () =>
			inbox.onSettled?.({ id, eventId, attempt, outcome }),
		);
	}

	const tellUnsettled = ({ id, eventId }: InboxItem, error: unknown): void =>
		tellError(
			o,
			`${eventId}: event ${id} of the inbox could not be settled; it runs again after its lease.`,
			error,
		);

	/** Stores an event's new state. While the store is down it tries again, as long as the event is ours. */
	async function settle(item: InboxItem, settlement: Settlement, lease: Lease) {
		for (;;) {
			try {
				if (await store.settle(item, settlement)) {
					const { state } = settlement;
					tell(item, state === "pending" ? "retry" : state);
				} else tell(item, "lost");
				return;
			} catch (error) {
				if (!lease.isHeld() || isAborted) throw error;
				await pause(inbox.pollMs);
			}
		}
	}

	async function toFailure(
		item: InboxItem,
		{ state }: Delivery,
		context: EventContext,
		error: unknown,
	): Promise<Settlement> {
		const name = `${nameOf(state)}, event ${item.id} of the inbox`;
		tellError(
			o,
			`${name}: the handler failed in attempt ${item.attempt} of ${inbox.maxAttempts}.`,
			error,
			context,
		);
		const text = describeError(error);
		const isPermanent = error instanceof PermanentFailure;
		if (!isPermanent && isAborted) return toInterrupted(item, text);
		if (!isPermanent && item.attempt < inbox.maxAttempts)
			return {
				state: "pending",
				delayMs: toRetryDelayMs(item.attempt, inbox),
				error: text,
			};
		const failure = isPermanent
			? error
			: new PermanentFailure(`given up after ${item.attempt} attempts`, {
					cause: error,
				});
		try {
			await withTimeLimit(
				Promise.resolve(o.onDeadLetter?.(failure, context)),
				inbox.handlerTimeoutMs,
				() =>
					o.log(
						`${name}: onDeadLetter took longer than ${inbox.handlerTimeoutMs} ms; the event is dead without it.`,
					),
			);
		} catch (thrown) {
			// The event is kept as dead, also without `onDeadLetter`.
			tellError(o, `${name}: onDeadLetter failed.`, thrown, context);
		}
		return { state: "dead", ttlMs: o.dedupTtlMs, error: text };
	}

	async function process(
		item: InboxItem,
		lease: Lease,
		setAbort: (abort: () => void) => void,
	): Promise<void> {
		const bury = (error: string) =>
			settle(item, { state: "dead", ttlMs: o.dedupTtlMs, error }, lease);
		if (item.attempt > inbox.maxAttempts)
			return bury(
				`taken ${item.attempt - 1} times and never settled: its process ended, or its handler never did`,
			);
		let delivery: Delivery;
		try {
			delivery = fromStoredDelivery(item);
		} catch (error) {
			tellError(
				o,
				`${item.eventId}: event ${item.id} of the inbox cannot be read and is dead.`,
				error,
			);
			return bury(describeError(error));
		}
		const { conflict, stale } = item;
		const { context, abort } = createContext(delivery, {
			dedup: "claimed",
			conflict,
			stale,
		});
		setAbort(abort);
		const ending = await runHandlers(
			handlers.get(item.eventId) ?? [],
			context,
			inbox.handlerTimeoutMs,
			abort,
		);
		const done: Settlement = { state: "done", ttlMs: o.dedupTtlMs };
		if (ending.state === "done") return settle(item, done, lease);
		if (ending.state === "threw")
			return settle(
				item,
				await toFailure(item, delivery, context, ending.error),
				lease,
			);
		o.log(
			`${nameOf(delivery.state)}: the handler took longer than ${inbox.handlerTimeoutMs} ms; the event is tried again after its lease.`,
		);
		tell(item, "late");
		// The lease is not renewed any more. If the handler succeeds before the next attempt begins, the event is done.
		whenLate(o, ending.end, delivery, context)
			.then(async (succeeded) => {
				if (succeeded && (await store.settle(item, done))) tell(item, "done");
			})
			.catch((error) => tellUnsettled(item, error));
	}

	function start(item: InboxItem): void {
		let abort = () => {};
		const lease = holdLease(store, item, inbox.leaseMs, () => abort());
		const task = process(item, lease, (abortHandlers) => {
			abort = abortHandlers;
			if (isAborted) abort();
		})
			.catch((error) => {
				tellUnsettled(item, error);
				tell(item, "lost");
			})
			.finally(() => {
				lease.end();
				running.delete(task);
				wake();
			});
		running.set(task, () => abort());
	}

	/** Takes as many events as may run, and returns their number. */
	async function fill(): Promise<number> {
		const limit = inbox.concurrency - running.size;
		if (limit <= 0 || handlers.size === 0) return 0;
		const items = await store.take({
			eventIds: [...handlers.keys()],
			limit,
			fence: inbox.createFence(),
			leaseMs: inbox.leaseMs,
		});
		for (const item of items)
			if (isClosing) await store.settle(item, toInterrupted(item, "closed"));
			else start(item);
		if (performance.now() - purgedMs >= PURGE_EVERY_MS) {
			purgedMs = performance.now();
			await store.purge();
		}
		return items.length;
	}

	async function loop(): Promise<void> {
		await pause(0);
		while (!isClosing) {
			let count = 0;
			try {
				count = await fill();
				isDown = false;
			} catch (error) {
				tellError(
					o,
					"The inbox cannot be read; it is tried again.",
					error,
					undefined,
					isDown,
				);
				isDown = true;
				isWoken = false;
			}
			if (count === 0) await rest();
			// During a backlog, a store that answers at once would otherwise leave the event loop no turn for requests.
			else await pause(0);
		}
	}

	const looping = loop();
	return {
		wake,
		async close() {
			isClosing = true;
			wake();
			const isDrained = await withTimeLimit(
				looping.then(() => Promise.all(running.keys())),
				inbox.drainMs,
				() => false,
			);
			if (isDrained !== false) return;
			isAborted = true;
			for (const abort of running.values()) abort();
			await withTimeLimit(Promise.all(running.keys()), GRACE_MS, () => {
				o.log(
					"Handlers still run as the inbox closes; their events are tried again after their lease.",
				);
			});
		},
	};
}
