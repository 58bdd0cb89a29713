import { setTimeout as sleep } from "node:timers/promises";
import {
	type AttemptOutcome,
	type ClaimedDelivery,
	findPaused,
	openWorkerLock,
	recordAndClaim,
	recordAttemptsWithin,
	returnClaimed,
} from "@partnerwire/core";
import { withDefaults } from "../http/with-defaults.ts";
import { createBlockedResults } from "./blocked-results.ts";
import { createClaimOrder } from "./claim-order.ts";
import { createFairScheduler } from "./fair-scheduler.ts";
import type { Attempt, Speed } from "./known-integrations.ts";
import { createQueueMaintenance } from "./queue-maintenance.ts";
import { RETRY_SCHEDULE } from "./retry-schedule.ts";
import { createRequests, TOKEN_DEFAULTS } from "./signed-requests.ts";
import { toAttemptOutcome } from "./to-attempt-outcome.ts";
import { tryAttempt } from "./try-attempt.ts";
import type { Worker, WorkerOptions } from "./worker-options.ts";

/** How long a failing head blocks its lane (docs/decisions.md#order). */
const PASS_AFTER_MS = 30 * 60_000;

/** The order in which deliveries are claimed for them. */
const SPEEDS: readonly Speed[] = ["quick", "unknown", "slow"];

/** So many results are written without waiting for more. */
const BATCH = 128;
/** If another transaction holds an integration for longer than this, its results are tried again later. */
const PATIENCE_MS = 250;
/** When this many results wait for rows that others hold, nothing more is claimed. */
const MOST_BLOCKED = 2048;
/** How long `stop` waits for rows that others hold. A service must end within 15 s. */
const STOP_WITHIN_MS = 3000;
/** The longest time that results wait for others, to be written together. */
const RECORD_WITHIN_MS = 20;

/** Delivers webhooks until it is stopped: claim, sign, POST, record in batches, claim the next. Any number may run on one database. */
export function startWorker(options: WorkerOptions): Worker {
	const o = withDefaults(options, {
		clock: () => Date.now(),
		concurrency: 256,
		perIntegration: 16,
		retrySchedule: RETRY_SCHEDULE,
		passAfterMs: PASS_AFTER_MS,
		pollMs: 500,
		leaseMs: options.wire.maxAttemptMs + 30_000,
		random: () => Math.random(),
		onAttempt: () => {},
		onFault: () => {},
	});
	const toRequest = createRequests(
		o.cipher,
		withDefaults(o.token ?? {}, TOKEN_DEFAULTS),
	);
	const scheduler = createFairScheduler({ ...o, now: () => performance.now() });
	const lock = openWorkerLock(o.store, o.onFault);
	/** The number of the lock under which the waiting deliveries were claimed. */
	let claimedUnder = lock.id;
	/** Nothing is claimed before the lock is held, unless that takes longer than a poll. */
	let mayBegin = false;
	/** Claimed deliveries to return untried: their attempt was cut short, their integration is paused, or the lock was lost. */
	const toReturn: ClaimedDelivery[] = [];
	let results: AttemptOutcome[] = [];
	/** Results whose rows another transaction holds. They are written with the next batch. */
	let nextBatch: AttemptOutcome[] = [];
	const hasResults = () => results.length + nextBatch.length > 0;
	const blocked = createBlockedResults({
		record: (all) =>
			recordAttemptsWithin(o.store, all, {
				nowMs: o.clock(),
				waitMs: PATIENCE_MS,
			}),
		onFault: o.onFault,
		onTaken: () => announce(),
	});
	let recordTimer: NodeJS.Timeout | undefined;
	let turn: Promise<void> | undefined;
	const claimOrder = createClaimOrder();
	let isAnnounced = false;
	/** Whether the last transaction failed. The next one waits for the poll, so that the database can recover. */
	let isTroubled = false;
	let isStopping = false;
	let isStopped = false;
	let onIdle: (() => void) | undefined;

	/** Whether fewer deliveries wait than a batch holds, so that it is time to claim more. */
	const isShort = () =>
		mayBegin &&
		scheduler.waiting < BATCH &&
		blocked.size + nextBatch.length < MOST_BLOCKED;

	/** Writes the last results, within `STOP_WITHIN_MS`. Deliveries whose results cannot be written are sent again. */
	async function recordLast(): Promise<void> {
		isStopped = true;
		clearTimeout(recordTimer);
		const giveUpAt = performance.now() + STOP_WITHIN_MS;
		while (hasResults() && performance.now() < giveUpAt) {
			await guarded(recordAndClaimNext);
			if (hasResults()) await sleep(Math.min(o.pollMs, STOP_WITHIN_MS));
		}
	}

	/** The number to claim under. Gives back what was claimed under another one: it may be another worker's by now. */
	function currentLock(): number | null {
		if (lock.id !== claimedUnder) {
			claimedUnder = lock.id;
			toReturn.push(...scheduler.drain());
			isAnnounced = true;
		}
		return claimedUnder;
	}

	/** Starts what may start, then records and claims if either is worth a transaction. */
	function pump(): void {
		currentLock();
		while (!isStopping) {
			const started = scheduler.start();
			if (!started) break;
			void attempt(started);
		}
		const mayClaim = isAnnounced && !isStopping && isShort();
		const isBatch = results.length >= BATCH || scheduler.inFlight === 0;
		const isWorth = mayClaim || (results.length > 0 && isBatch);
		if (isWorth && !isTroubled) beginTurn();
		else if (!isStopped && (isWorth || hasResults()))
			recordTimer ??= setTimeout(
				beginTurn,
				isTroubled ? o.pollMs : RECORD_WITHIN_MS,
			);
		if (scheduler.inFlight === 0 && !turn) onIdle?.();
	}

	function beginTurn(): void {
		clearTimeout(recordTimer);
		recordTimer = undefined;
		if (turn || isStopped) return;
		turn = guarded(recordAndClaimNext).then(() => {
			turn = undefined;
			pump();
		});
	}

	/** Results that come while a batch is written belong to the next batch. */
	async function recordAndClaimNext(): Promise<void> {
		const recorded = [...nextBatch, ...results];
		results = [];
		nextBatch = [];
		try {
			await claimBeside(recorded);
			isTroubled = false;
		} catch (error) {
			isTroubled = true;
			// They are written again with the next batch. The lease makes sure that each result counts once.
			results = [...recorded, ...results];
			throw error;
		}
	}

	async function claimBeside(
		recorded: readonly AttemptOutcome[],
	): Promise<void> {
		isAnnounced = false;
		const startBy = performance.now() + o.leaseMs - o.wire.maxAttemptMs;
		const paused = await findPaused(
			o.store.readUnsynced,
			scheduler.waitingFor(),
		);
		toReturn.push(...scheduler.takeStuck(), ...scheduler.takeOf(paused));
		const back = [...toReturn];
		// Claims even if nothing was announced: recorded results make the next deliveries of their lane and integration ready.
		const mayClaim = !isStopping && isShort();
		const step = mayClaim ? claimOrder.next() : undefined;
		const rooms = step && scheduler.rooms();
		// Deliveries whose blocked results are written beside this batch are left out: they may soon be another worker's.
		const heldHere = [
			...scheduler.held(),
			...results.map(({ delivery }) => delivery),
			...back,
		];
		const workerId = currentLock();
		try {
			const turn = await recordAndClaim(o.store, recorded, {
				nowMs: o.clock(),
				leaseMs: o.leaseMs,
				workerId,
				across: {
					most: o.perIntegration,
					heldHere,
					freeFirst: step?.freeFirst,
				},
				rooms: rooms
					? SPEEDS.map((speed) => ({
							...rooms[speed],
							after: step?.last[speed],
						}))
					: [],
			});
			nextBatch.push(...blocked.add(turn.later));
			for (const [index, speed] of SPEEDS.entries()) {
				const last = turn.claimed[index]?.at(-1);
				if (step && last) step.last[speed] = last.integrationId;
			}
			const all = turn.claimed.flat();
			if (all.length > 0 || !mayClaim) isAnnounced = true;
			if (currentLock() === workerId)
				scheduler.add(all.map((delivery) => ({ delivery, startBy })));
			else toReturn.push(...all);
		} finally {
			if (back.length > 0) await returnClaimed(o.store, back);
			toReturn.splice(0, back.length);
		}
	}

	async function attempt(started: Attempt): Promise<void> {
		const { delivery } = started.value;
		try {
			const request = toRequest(delivery, o.clock());
			const result = await tryAttempt(request, o, () => isStopping);
			const isCut = result.failure?.class === "aborted";
			const recorded = isCut ? null : toAttemptOutcome(delivery, result, o);
			if (recorded) results.push(recorded);
			else toReturn.push(delivery);
			// The integration is paused now, so its waiting deliveries are not tried.
			if (recorded?.pause)
				toReturn.push(...scheduler.takeOf([delivery.integrationId]));
			o.onAttempt(delivery, result, recorded);
		} catch (error) {
			o.onFault(error);
		}
		scheduler.end(started);
		pump();
	}

	async function guarded(work: () => Promise<unknown>): Promise<void> {
		try {
			await work();
		} catch (error) {
			// A claim ends with its lease, and the next poll tries again.
			o.onFault(error);
		}
	}

	function announce(): void {
		isAnnounced = true;
		pump();
	}

	const unsubscribe = o.store.onWake(announce);
	let isMaintaining = false;
	const maintain = createQueueMaintenance({ ...o, lock });
	const poll = setInterval(() => {
		blocked.retry();
		// One at a time, so that a slow server does not use up all connections.
		if (isMaintaining) return;
		isMaintaining = true;
		void guarded(maintain).then(() => {
			isMaintaining = false;
			mayBegin = true;
			announce();
			// Deliveries that cannot start would keep others from being claimed.
			if (!isStopping && scheduler.isStuck()) beginTurn();
		});
	}, o.pollMs);
	void lock.ready.then(() => {
		mayBegin = true;
		announce();
	});

	return {
		load: () => ({
			inFlight: scheduler.inFlight,
			waiting: scheduler.waiting,
			concurrency: o.concurrency,
			isTroubled,
		}),
		async stop() {
			isStopping = true;
			unsubscribe();
			clearInterval(poll);
			if (scheduler.inFlight > 0 || turn || hasResults()) {
				await new Promise<void>((resolve) => {
					onIdle = resolve;
					pump();
				});
			}
			await recordLast();
			await blocked.stop(STOP_WITHIN_MS);
			const untried = [...toReturn, ...scheduler.drain()];
			if (untried.length > 0)
				await guarded(() => returnClaimed(o.store, untried));
			await lock.close();
		},
	};
}
