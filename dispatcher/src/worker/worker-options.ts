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
	/** The caller closes it, after `stop()`. */
	readonly wire: Wire;
	/** The application clock. It decides what is due, and gives the times in tokens. */
	readonly clock?: () => number;
	/** Attempts at the same time, over all integrations. */
	readonly concurrency?: number;
	/** Attempts at the same time, for one integration. */
	readonly perIntegration?: number;
	/** Seconds before each attempt, for integrations without a schedule of their own. */
	readonly retrySchedule?: readonly number[];
	/** How long a failing head blocks its lane before its successors pass it (docs/decisions.md#order). */
	readonly passAfterMs?: number;
	readonly token?: Partial<TokenOptions>;
	/** How often to look for work that nobody announced. */
	readonly pollMs?: number;
	/** How long a claim lasts, by the database's clock. It must be longer than an attempt. */
	readonly leaseMs?: number;
	/** From 0 to 1, for the jitter of retries. */
	readonly random?: () => number;
	/** Called for every attempt. Its outcome is null if the attempt was cut short and will be made again. */
	readonly onAttempt?: (
		delivery: ClaimedDelivery,
		result: AttemptResult,
		outcome: AttemptOutcome | null,
	) => void;
	/** Called with a fault of the database or of the sending thread. The worker continues. */
	readonly onFault?: (error: unknown) => void;
}

/** How busy a worker is: the deliveries in flight, those claimed, and the most that may be in flight. */
export interface WorkerLoad {
	readonly inFlight: number;
	readonly waiting: number;
	readonly concurrency: number;
	/** Whether its last transaction failed. */
	readonly isTroubled: boolean;
}

export interface Worker {
	load(): WorkerLoad;
	/** Stops claiming, lets attempts in flight end, records them, and returns the rest to the queue. */
	stop(): Promise<void>;
}
