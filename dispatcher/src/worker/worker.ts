import { setTimeout as sleep } from "node:timers/promises";
import {
	type AttemptOutcome,
	type ClaimedDelivery,
	type ClaimRoom,
	findPaused,
	recordAndClaim,
	recordAttemptsWithin,
	returnClaimed,
} from "@partnerwire/core";
import { withDefaults } from "../http/with-defaults.ts";
import { createBlockedResults } from "./blocked-results.ts";
import { createClaimOrder } from "./claim-order.ts";
import {
	type Attempt,
	createFairScheduler,
	type Speed,
} from "./fair-scheduler.ts";
import { createQueueMaintenance } from "./queue-maintenance.ts";
import { RETRY_SCHEDULE } from "./retry-schedule.ts";
import { createRequests, TOKEN_DEFAULTS } from "./signed-requests.ts";
import { toAttemptOutcome } from "./to-attempt-outcome.ts";
import { tryAttempt } from "./try-attempt.ts";
import type { WorkerOptions } from "./worker-options.ts";

/** Decisions §2: order. */
const PASS_AFTER_MS = 30 * 60_000;

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

/** In the order in which they are claimed for. */
const PACES: readonly Speed[] = ["quick", "unknown", "slow"];
const countOf = (integrationId: number, results: readonly AttemptOutcome[]) =>
	results.filter(({ delivery }) => delivery.integration.id === integrationId)
		.length;

/** Results that are worth a transaction. */
const BATCH = 128;
/** How long another transaction may hold an integration before its results are tried again later. */
const PATIENCE_MS = 250;
/** How often a result whose rows others hold goes with a turn before it is written by itself. */
const TRIES = 3;
/** Results of a claim are kept while others hold their rows; with so many nothing more is claimed. */
const MOST_LATE = 2048;
/** A service ends within 15 s, whatever others hold. */
const STOP_WITHIN_MS = 3000;
/** Results wait for others to be written with them, but not longer than this. */
const SETTLE_WITHIN_MS = 20;

/**
 * Delivers what the outbox holds until it is stopped: claim, sign, POST, settle in batches, claim the next. Any number
 * of workers may run on one database.
 */
export function startWorker(options: WorkerOptions): Worker {
	const o = withDefaults(options, {
		clock: () => Date.now(),
		concurrency: 256,
		perIntegration: 16,
		retrySchedule: RETRY_SCHEDULE,
		passAfterMs: PASS_AFTER_MS,
		pollMs: 500,
		leaseMs: options.wire.maxAttemptMs + 30_000,
		random: Math.random,
		onAttempt: () => {},
		onFault: () => {},
	});
	const toRequest = createRequests(
		o.cipher,
		withDefaults(o.token ?? {}, TOKEN_DEFAULTS),
	);
	const shares = createFairScheduler({ ...o, now: () => performance.now() });
	/** Claimed deliveries to give back: their attempt was cut short, or their integration pauses. */
	const given: ClaimedDelivery[] = [];
	let results: AttemptOutcome[] = [];
	/** Results that were given in vain: they go with the next turn, and are worth none of their own at once. */
	let again: AttemptOutcome[] = [];
	const triesOf = new WeakMap<AttemptOutcome, number>();
	const hasResults = () => results.length + again.length > 0;
	const late = createBlockedResults({
		settle: (all) =>
			recordAttemptsWithin(o.store, all, {
				nowMs: o.clock(),
				waitMs: PATIENCE_MS,
			}),
		onFault: o.onFault,
		onTaken: () => announce(),
	});
	let settleTimer: NodeJS.Timeout | undefined;
	let turn: Promise<void> | undefined;
	const rounds = createClaimOrder();
	let isAnnounced = false;
	/** The last turn failed: the database gets a moment. */
	let isTroubled = false;
	let isStopping = false;
	let isStopped = false;
	let onIdle: (() => void) | undefined;

	/** Fewer wait than a batch: time to claim ahead. */
	const isShort = () =>
		shares.waiting < BATCH && late.size + again.length < MOST_LATE;

	/** Writes what the database refused until now, for a while; what it still refuses goes again once its lease has ended. */
	async function settleLast(): Promise<void> {
		isStopped = true;
		clearTimeout(settleTimer);
		const giveUpAt = performance.now() + STOP_WITHIN_MS;
		while (hasResults() && performance.now() < giveUpAt) {
			await guarded(settleAndClaim);
			if (hasResults()) await sleep(Math.min(o.pollMs, STOP_WITHIN_MS));
		}
	}

	/** Starts what may start, then settles and claims if either is worth a transaction. */
	function pump(): void {
		while (!isStopping) {
			const started = shares.start();
			if (!started) break;
			void attempt(started);
		}
		const mayClaim = isAnnounced && !isStopping && isShort();
		const isBatch = results.length >= BATCH || shares.inFlight === 0;
		const isWorth = mayClaim || (results.length > 0 && isBatch);
		if (isWorth && !isTroubled) beginTurn();
		else if (!isStopped && (isWorth || hasResults()))
			settleTimer ??= setTimeout(
				beginTurn,
				isTroubled ? o.pollMs : SETTLE_WITHIN_MS,
			);
		if (shares.inFlight === 0 && !turn) onIdle?.();
	}

	function beginTurn(): void {
		clearTimeout(settleTimer);
		settleTimer = undefined;
		if (turn || isStopped) return;
		turn = guarded(settleAndClaim).then(() => {
			turn = undefined;
			pump();
		});
	}

	/** Results that come while a turn is being written are the next one's. */
	async function settleAndClaim(): Promise<void> {
		const settled = [...again, ...results];
		results = [];
		again = [];
		try {
			await claimBeside(settled);
			isTroubled = false;
		} catch (error) {
			isTroubled = true;
			// Once more with the next turn: a result counts once, by its lease, whatever became of the first try.
			results = [...settled, ...results];
			throw error;
		}
	}

	async function claimBeside(
		settled: readonly AttemptOutcome[],
	): Promise<void> {
		isAnnounced = false;
		const startBy = performance.now() + o.leaseMs - o.wire.maxAttemptMs;
		const paused = await findPaused(o.store.readUnsynced, shares.waitingFor());
		given.push(...shares.takeStuck(), ...shares.takeOf(paused));
		const back = given.splice(0);
		// Also unasked: what is settled lets others of its lane and of its integration go.
		const mayClaim = !isStopping && isShort();
		const claim = mayClaim
			? { rooms: shares.rooms(), ...rounds.next() }
			: undefined;
		const countBack = (id: number) =>
			[...back, ...given].filter(({ integration }) => integration.id === id)
				.length;
		const toRoom = (
			pace: Speed,
			{ rooms, last, freeFirst }: NonNullable<typeof claim>,
		): ClaimRoom => ({
			...rooms[pace],
			after: last[pace],
			across: {
				most: o.perIntegration,
				freeFirst,
				heldHere: (id) =>
					shares.heldOf(id) +
					late.countOf(id) +
					countOf(id, results) +
					countBack(id),
			},
		});
		try {
			const turn = await recordAndClaim(o.store, settled, {
				nowMs: o.clock(),
				leaseMs: o.leaseMs,
				rooms: claim ? PACES.map((pace) => toRoom(pace, claim)) : [],
			});
			giveAgain(turn.later);
			for (const [index, pace] of PACES.entries()) {
				const last = turn.claimed[index]?.at(-1);
				if (claim && last) claim.last[pace] = last.integration.id;
			}
			const all = turn.claimed.flat();
			if (all.length > 0 || !mayClaim) isAnnounced = true;
			shares.add(all.map((delivery) => ({ delivery, startBy })));
		} finally {
			if (back.length > 0) await returnClaimed(o.store, back);
		}
	}

	/** Another worker holds a row for the length of its turn: what is late for the first times goes with the next turns. */
	function giveAgain(later: readonly AttemptOutcome[]): void {
		for (const one of later) {
			const tries = (triesOf.get(one) ?? 0) + 1;
			triesOf.set(one, tries);
			if (tries < TRIES) again.push(one);
		}
		late.add(later.filter((one) => (triesOf.get(one) ?? 0) >= TRIES));
	}

	async function attempt(started: Attempt): Promise<void> {
		const { delivery } = started.value;
		try {
			const request = toRequest(delivery, o.clock());
			const result = await tryAttempt(request, o, () => isStopping);
			const isCut = result.failure?.class === "aborted";
			const settled = isCut ? null : toAttemptOutcome(delivery, result, o);
			if (settled) results.push(settled);
			else given.push(delivery);
			// What else waits for it is held from now on, not tried.
			if (settled?.pause)
				given.push(...shares.takeOf([delivery.integration.id]));
			o.onAttempt(delivery, result, settled);
		} catch (error) {
			o.onFault(error);
		}
		shares.end(started);
		pump();
	}

	async function guarded(work: () => Promise<unknown>): Promise<void> {
		try {
			await work();
		} catch (error) {
			// What was claimed comes back when its lease ends; the next poll tries again.
			o.onFault(error);
		}
	}

	function announce(): void {
		isAnnounced = true;
		pump();
	}

	const unsubscribe = o.store.onWake(announce);
	let isTidying = false;
	const tidy = createQueueMaintenance(o);
	const poll = setInterval(() => {
		late.retry();
		// One at a time: should a server be slow, those that wait must not take all connections.
		if (isTidying) return;
		isTidying = true;
		void guarded(tidy).then(() => {
			isTidying = false;
			announce();
			// What waits in vain would keep others from being claimed.
			if (!isStopping && shares.isStuck()) beginTurn();
		});
	}, o.pollMs);
	announce();

	return {
		load: () => ({
			inFlight: shares.inFlight,
			waiting: shares.waiting,
			concurrency: o.concurrency,
		}),
		async stop() {
			isStopping = true;
			unsubscribe();
			clearInterval(poll);
			if (shares.inFlight > 0 || turn || hasResults()) {
				await new Promise<void>((resolve) => {
					onIdle = resolve;
					pump();
				});
			}
			await settleLast();
			await late.stop(STOP_WITHIN_MS);
			const untried = [...given, ...shares.drain()];
			if (untried.length > 0)
				await guarded(() => returnClaimed(o.store, untried));
		},
	};
}
