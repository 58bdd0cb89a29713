import {
	type Cipher,
	type ClaimedDelivery,
	claimDue,
	passFailingHeads,
	reclaimExpired,
	returnClaimed,
	type SettledAttempt,
	type Store,
	settle,
} from "@partnerwire/core";
import type { AttemptResult } from "../attempt-result.ts";
import type { Wire } from "../wire.ts";
import {
	createEnvelopes,
	TOKEN_DEFAULTS,
	type TokenOptions,
} from "./envelopes.ts";
import { RETRY_SCHEDULE } from "./retry-schedule.ts";
import { toSettled } from "./to-settled.ts";

/** Decisions §2: order. */
const PASS_AFTER_MS = 30 * 60_000;

export interface WorkerOptions {
	readonly store: Store;
	readonly cipher: Cipher;
	/** Closed by whoever opened it, after `stop()`. */
	readonly wire: Wire;
	/** The application clock: what is due, and the time in tokens. */
	readonly clock?: () => number;
	/** Attempts at the same time. */
	readonly concurrency?: number;
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
		settled: SettledAttempt | null,
	) => void;
	/** A fault of the database; the worker goes on. */
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
	/** Stops claiming, lets attempts in flight end, settles them, and gives the rest back. */
	stop(): Promise<void>;
}

interface Waiting {
	delivery: ClaimedDelivery;
	/** Monotonic time after which an attempt could outlast the lease. */
	startBy: number;
}

/**
 * Delivers what the outbox holds until it is stopped: claim, sign, POST, settle in batches, claim the next. Any number
 * of workers may run on one database.
 */
export function startWorker(options: WorkerOptions): Worker {
	const o = {
		clock: Date.now,
		concurrency: 64,
		retrySchedule: RETRY_SCHEDULE,
		passAfterMs: PASS_AFTER_MS,
		pollMs: 500,
		leaseMs: options.wire.maxAttemptMs + 30_000,
		random: Math.random,
		onAttempt: () => {},
		onFault: () => {},
		...options,
	};
	const toEnvelope = createEnvelopes(o.cipher, {
		...TOKEN_DEFAULTS,
		...o.token,
	});
	const waiting: Waiting[] = [];
	let results: SettledAttempt[] = [];
	let inFlight = 0;
	let isStopping = false;
	let claiming: Promise<void> | undefined;
	let settling: Promise<void> | undefined;
	let isAnnounced = false;
	let onIdle: (() => void) | undefined;

	async function claimMore(): Promise<void> {
		isAnnounced = false;
		const limit = 2 * o.concurrency - inFlight - waiting.length;
		const startBy = performance.now() + o.leaseMs - o.wire.maxAttemptMs;
		const claimed = await claimDue(o.store, {
			nowMs: o.clock(),
			limit,
			leaseMs: o.leaseMs,
		});
		waiting.push(...claimed.map((delivery) => ({ delivery, startBy })));
		if (claimed.length === limit) isAnnounced = true;
	}

	function pump(): void {
		while (!isStopping && inFlight < o.concurrency && waiting.length > 0) {
			const { delivery, startBy } = waiting.shift() as Waiting;
			// Its lease may end before the attempt does: another worker, or this one, will claim it again.
			if (performance.now() > startBy) continue;
			inFlight++;
			void attempt(delivery);
		}
		if (results.length > 0) settling ??= settleResults();
		if (isAnnounced && !isStopping && waiting.length < o.concurrency) {
			claiming ??= guarded(claimMore).then(() => {
				claiming = undefined;
				pump();
			});
		}
		if (inFlight === 0 && !settling && !claiming) onIdle?.();
	}

	async function attempt(delivery: ClaimedDelivery): Promise<void> {
		try {
			const result = await o.wire.attempt(toEnvelope(delivery, o.clock()));
			const isCut = result.failure?.class === "aborted";
			const settled = isCut ? null : toSettled(delivery, result, o);
			if (settled) results.push(settled);
			else waiting.push({ delivery, startBy: 0 });
			o.onAttempt(delivery, result, settled);
		} catch (error) {
			o.onFault(error);
		}
		inFlight--;
		pump();
	}

	/** Results that come while a batch is being written are the next batch: that is how large batches come about. */
	async function settleResults(): Promise<void> {
		const batch = results;
		results = [];
		const written = await guarded(() => settle(o.store, batch, o.clock()));
		settling = undefined;
		if (written) announce();
		else pump();
	}

	async function guarded(work: () => Promise<unknown>): Promise<boolean> {
		try {
			await work();
			return true;
		} catch (error) {
			// What was claimed comes back when its lease ends; the next poll tries again.
			o.onFault(error);
			return false;
		}
	}

	function announce(): void {
		isAnnounced = true;
		pump();
	}

	const unsubscribe = o.store.onWake(announce);
	const poll = setInterval(() => {
		const work = async () => {
			await reclaimExpired(o.store);
			await passFailingHeads(o.store, o.clock());
		};
		void guarded(work).then(announce);
	}, o.pollMs);
	announce();

	return {
		load: () => ({
			inFlight,
			waiting: waiting.length,
			concurrency: o.concurrency,
		}),
		async stop() {
			isStopping = true;
			unsubscribe();
			clearInterval(poll);
			if (inFlight > 0 || settling || claiming) {
				await new Promise<void>((resolve) => {
					onIdle = resolve;
				});
			}
			const untried = waiting.splice(0).map(({ delivery }) => delivery);
			if (untried.length > 0)
				await guarded(() => returnClaimed(o.store, untried));
		},
	};
}
