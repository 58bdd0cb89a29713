import type {
	AttemptOutcome,
	Cipher,
	ClaimedDelivery,
	Store,
} from "@partnerwire/core";
import type { AttemptResult } from "../http/attempt-result.ts";
import type { Wire } from "../http/wire.ts";
import type { TokenOptions } from "./signed-requests.ts";

export interface WorkerOptions {
	readonly store: Store;
	readonly cipher: Cipher;
	/** Closed by whoever opened it, after `stop()`. */
	readonly wire: Wire;
	/** The application clock: what is due, and the time in tokens. */
	readonly clock?: () => number;
	/** Attempts at the same time, over all integrations. */
	readonly concurrency?: number;
	/** Attempts at the same time, for one integration. */
	readonly perIntegration?: number;
	/** Seconds before each attempt, for integrations without a schedule of their own. */
	readonly retrySchedule?: readonly number[];
	/** How long a failing head holds its lane up before its successors pass it. */
	readonly passAfterMs?: number;
	readonly token?: Partial<TokenOptions>;
	/** How often to look for work that nobody announced. */
	readonly pollMs?: number;
	/** How long a claim lasts, by the database's clock; it must outlast an attempt. */
	readonly leaseMs?: number;
	/** From 0 to 1: the jitter of retries. */
	readonly random?: () => number;
	/** Told of every attempt; what follows from it is null when the attempt was cut short and will be made again. */
	readonly onAttempt?: (
		delivery: ClaimedDelivery,
		result: AttemptResult,
		settled: AttemptOutcome | null,
	) => void;
	/** A fault of the database, or of the thread that sends; the worker goes on. */
	readonly onFault?: (error: unknown) => void;
}

/** How busy a worker is: deliveries under way and claimed, and how many it may have under way. */
export interface WorkerLoad {
	readonly inFlight: number;
	readonly waiting: number;
	readonly concurrency: number;
}

export interface Worker {
	load(): WorkerLoad;
	/** Stops claiming, lets attempts in flight end, records them, and returns the rest to the queue. */
	stop(): Promise<void>;
}
