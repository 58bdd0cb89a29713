import { ReceiverConfigError } from "../common/config-error.ts";
import type { Handler } from "../common/context-types.ts";
import { withTimeLimit } from "../common/time-limit.ts";
import {
	ACKNOWLEDGED,
	acknowledge,
	toRefusal,
	type Verdict,
} from "../common/verdict.ts";
import type { Delivery } from "../handle/context.ts";
import { type DeliverOptions, toClaimRequest } from "../handle/deliver.ts";
import { remainingMs } from "../report/request-state.ts";
import { tellError } from "../report/tell.ts";
import type {
	InboxEntry,
	InboxState,
	InboxStats,
	InboxStore,
	PutResult,
} from "./inbox-store.ts";
import { limitStore } from "./inbox-time-limit.ts";
import { createInboxWorker, type InboxWorker } from "./inbox-worker.ts";
import { toStoredDelivery } from "./stored-delivery.ts";

export type {
	InboxEntry,
	InboxEvent,
	InboxItem,
	InboxState,
	InboxStats,
	InboxStore,
	InboxTicket,
	PutResult,
	Settlement,
	TakeRequest,
} from "./inbox-store.ts";

/** How an attempt at an event of the inbox ended. */
export interface InboxSettled {
	id: number;
	eventId: string;
	attempt: number;
	/** `late`: the handler's time is over, but it still runs. `lost`: another process had taken the event over. */
	outcome: "done" | "retry" | "dead" | "late" | "lost";
}

/** How the events of an inbox are processed. */
export interface InboxOptions {
	/** The number of events that run at a time in this process. Never two of one record. */
	concurrency?: number;
	/** How long an event is held if its process dies. A living process renews its hold. */
	leaseMs?: number;
	/** How long the handlers of one event may take. Then their signal is aborted and the event is tried again. */
	handlerTimeoutMs?: number;
	/** The number of attempts after which an event is dead. A `PermanentFailure` makes it dead at once. */
	maxAttempts?: number;
	/** The pause after the first failed attempt. It doubles with each, up to `retryMaxMs`, and half of it is random. */
	retryBaseMs?: number;
	retryMaxMs?: number;
	/** How often the store is asked for events of other processes and for retries. */
	pollMs?: number;
	/** How long `close` waits for handlers before it aborts their signals. */
	drainMs?: number;
	/** A number from 0 up to 1. */
	random?: () => number;
	createFence?: () => string;
	/** Called after each attempt. */
	onSettled?: (settled: InboxSettled) => void;
}

/** A durable inbox. It stores events before they are acknowledged, and handles them later. */
export interface Inbox {
	/** The storage of its events. */
	readonly store: InboxStore;
	/** For `createReceiver`: starts to process, and returns the function that stores a delivery. */
	open(
		o: DeliverOptions,
		handlers: ReadonlyMap<string, readonly Handler[]>,
	): (delivery: Delivery) => Promise<Verdict>;
	stats(): Promise<InboxStats>;
	/** The oldest first, at most `limit` (100). */
	list(query?: { state?: InboxState; limit?: number }): Promise<InboxEntry[]>;
	/** Makes a dead or waiting event due now, or all dead ones without an id. Resolves to the number of events. */
	retry(id?: number): Promise<number>;
	/** Forgets a payload's done and dead events, so that a copy is no duplicate. Resolves to their number. */
	forget(fingerprint: string): Promise<number>;
	/** Stops processing, waits for the handlers that run, and closes the store. */
	close(): Promise<void>;
}

const DEFAULTS = {
	concurrency: 10,
	leaseMs: 60_000,
	handlerTimeoutMs: 5 * 60_000,
	maxAttempts: 20,
	retryBaseMs: 1_000,
	retryMaxMs: 60 * 60_000,
	pollMs: 1_000,
	drainMs: 10_000,
	random: () => Math.random(),
	createFence: () => crypto.randomUUID() as string,
} as const;

/** The options with every default filled in. */
export type ResolvedInboxOptions = Required<Omit<InboxOptions, "onSettled">> &
	Pick<InboxOptions, "onSettled">;

/** The answer to an event that is stored and not handled yet. */
const STORED = acknowledge("stored", { stored: true });

const refuse = (message: string): never => {
	throw new ReceiverConfigError("CONFIG_OPTION", `inbox: ${message}`);
};

function resolveInboxOptions(options: InboxOptions): ResolvedInboxOptions {
	const defined = Object.fromEntries(
		Object.entries(options).filter(([, value]) => value !== undefined),
	);
	const o: ResolvedInboxOptions = { ...DEFAULTS, ...defined };
	for (const name of ["concurrency", "maxAttempts"] as const)
		if (!Number.isSafeInteger(o[name]) || o[name] < 1)
			refuse(`${name} must be a whole number of at least 1.`);
	for (const [name, value] of Object.entries(o))
		if (name.endsWith("Ms") && !(Number.isFinite(value) && Number(value) >= 0))
			refuse(`${name} must be a number of at least 0.`);
	for (const name of ["leaseMs", "pollMs"] as const)
		if (o[name] < 1) refuse(`${name} must be at least 1.`);
	return o;
}

function checkReceiver(o: DeliverOptions): void {
	if (o.dedup !== undefined)
		refuse("it recognises duplicates itself; leave dedup out.");
	if (o.ackFirst === false)
		refuse("it always acknowledges first; leave ackFirst out.");
}

const CLOSE_MARGIN_MS = 1_000;

/** Why a store failed, without the driver's message, which may contain secrets. */
const codeOf = (error: unknown): string =>
	String((error as { code?: unknown } | null)?.code ?? "no code");

/** Creates an inbox over a store: the receiver's part, the worker, and the functions to inspect it. */
export function createInbox(
	store: InboxStore,
	options: InboxOptions = {},
): Inbox {
	const inboxOptions = resolveInboxOptions(options);
	let worker: InboxWorker | undefined;
	let isDown = false;
	let closed: Promise<void> | undefined;

	async function put(
		delivery: Delivery,
		o: DeliverOptions,
	): Promise<PutResult | undefined> {
		const toLine = (why: string) =>
			`The inbox cannot store an event (${why}); the sender is told to try again.`;
		const refuseFor = (why: string): undefined => {
			if (!isDown) o.log(toLine(why));
			isDown = true;
		};
		if (closed) return refuseFor("it is closed");
		try {
			const putting = Promise.resolve(
				store.put({
					...toClaimRequest(delivery),
					...toStoredDelivery(delivery),
				}),
			);
			const result = await withTimeLimit(
				putting,
				remainingMs(o, delivery.state),
				() => refuseFor("it takes too long"),
			);
			if (result) isDown = false;
			return result;
		} catch (error) {
			tellError(o, toLine(codeOf(error)), error, undefined, isDown);
			isDown = true;
			return undefined;
		}
	}

	return {
		store,
		open(o, handlers) {
			checkReceiver(o);
			if (worker) refuse("it belongs to another receiver already.");
			const started = createInboxWorker(
				limitStore(store, inboxOptions.leaseMs),
				handlers,
				o,
				inboxOptions,
			);
			worker = started;
			return async function deliver(delivery) {
				const result = await put(delivery, o);
				if (!result) return toRefusal("STORE_UNAVAILABLE");
				if (result.state === "duplicate") return ACKNOWLEDGED.duplicate;
				delivery.state.conflict = result.conflict;
				delivery.state.dedup = "claimed";
				started.wake();
				return STORED;
			};
		},
		stats: async () => store.stats(),
		list: async ({ state, limit = 100 } = {}) =>
			store.list(state === undefined ? { limit } : { state, limit }),
		async retry(id) {
			const count = await store.retry(id);
			worker?.wake();
			return count;
		},
		forget: async (fingerprint) => store.forget(fingerprint),
		close() {
			closed ??= (async () => {
				await worker?.close();
				// A pool waits for its running queries, which may hang.
				await withTimeLimit(
					Promise.resolve(store.close()),
					inboxOptions.drainMs + CLOSE_MARGIN_MS,
					() => {},
				);
			})();
			return closed;
		},
	};
}
