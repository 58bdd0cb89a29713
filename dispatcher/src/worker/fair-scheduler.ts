import type { ClaimedDelivery } from "@partnerwire/core";
import {
	createLinkedList,
	type LinkedList,
	type Place,
} from "../http/linked-list.ts";

export interface FairSchedulerOptions {
	/** Attempts at the same time, over all integrations. */
	readonly concurrency: number;
	/** Attempts at the same time, for one integration. */
	readonly perIntegration: number;
	/** Monotonic milliseconds. */
	readonly now: () => number;
}

/** A claimed delivery that waits for its attempt. */
interface Waiting {
	readonly delivery: ClaimedDelivery;
	/** Monotonic time after which an attempt could outlast the lease. */
	readonly startBy: number;
}

interface Started {
	readonly delivery: ClaimedDelivery;
	readonly startedAt: number;
}
/** An attempt in flight. */
export type Attempt = Place<Started>;

/** How much may be claimed now: in all, and of each integration. */
interface Room {
	readonly limit: number;
	readonly roomOf: (integrationId: number) => number;
}

/** Shares the attempts of a worker out over integrations, so that endpoints that do not answer cannot take them all. */
export interface FairScheduler {
	readonly inFlight: number;
	readonly waiting: number;
	add(waiting: readonly Waiting[]): void;
	/** The next delivery to attempt, in turn over the integrations that may start one; it counts as in flight until it ends. */
	start(): Attempt | undefined;
	end(attempt: Attempt): void;
	/** What may be claimed: ahead, for quick integrations, and what begins at once, for unknown and for slow ones. */
	rooms(): Record<Speed, Room>;
	/** How many deliveries of an integration are in flight or wait. */
	heldOf(integrationId: number): number;
	/** The integrations that have deliveries waiting here. */
	waitingFor(): number[];
	/** Whether something waits for an integration that has become slow: it would wait too long here. */
	isStuck(): boolean;
	/** Takes that out. */
	takeStuck(): ClaimedDelivery[];
	/** Takes out what waits for the given integrations. */
	takeOf(integrationIds: readonly number[]): ClaimedDelivery[];
	/** Takes out everything that waits. */
	drain(): ClaimedDelivery[];
}

/** Deliveries claimed ahead of their attempts, over all integrations. */
const MOST_AHEAD = 256;

/** An integration whose attempts take longer than this is slow. */
const QUICK_MS = 1000;
/** Deliveries of a quick integration are claimed ahead for so long. */
const AHEAD_MS = 100;
/** How much of the mean duration the newest attempt is. */
const NEWEST = 0.2;
/** How often the ages of what is in flight are looked at. */
const REVIEW_MS = 10;

/** How fast the attempts of an integration are; unknown before the first has ended. */
export type Speed = "quick" | "slow" | "unknown";

interface Share {
	readonly waiting: Waiting[];
	/** The attempts in flight, the oldest first. */
	readonly running: LinkedList<Started>;
	/** The mean duration of its attempts; null before the first has ended. */
	meanMs: number | null;
	pace: Speed;
	isQueued: boolean;
}

/**
 * Each integration may have as many attempts in flight as its attempts are short: all of `perIntegration` up to a second
 * each, half of them at two seconds, one at least, and one until the first has ended. All that are slow together have
 * half of what is free while nothing quick waits, else a thirty-second of the worker; all that are unknown have a quarter
 * of it: whatever the number of endpoints that do not answer, a quick one finds room.
 */
export function createFairScheduler({
	concurrency,
	perIntegration,
	now,
}: FairSchedulerOptions): FairScheduler {
	const shares = new Map<number, Share>();
	const active = new Set<Share>();
	/** The integrations with deliveries to attempt, the first of each is next. */
	const queues: Record<Speed, Share[]> = { quick: [], slow: [], unknown: [] };
	const inFlightOf: Record<Speed, number> = { quick: 0, slow: 0, unknown: 0 };
	let waiting = 0;
	let reviewedAt = now();

	const shareOf = (id: number): Share => {
		let share = shares.get(id);
		if (!share) {
			share = {
				waiting: [],
				running: createLinkedList(),
				meanMs: null,
				pace: "unknown",
				isQueued: false,
			};
			shares.set(id, share);
		}
		return share;
	};

	/** How long an attempt takes; one that still runs has taken its age already. */
	const durationOf = ({ meanMs, running }: Share): number => {
		const oldest = running.first?.value;
		return Math.max(meanMs ?? 0, oldest ? now() - oldest.startedAt : 0);
	};

	const paceOf = (share: Share): Speed => {
		if (durationOf(share) > QUICK_MS) return "slow";
		return share.meanMs === null ? "unknown" : "quick";
	};

	const judge = (share: Share) => {
		const before = share.pace;
		share.pace = paceOf(share);
		if (share.pace === before) return;
		inFlightOf[before] -= share.running.size;
		inFlightOf[share.pace] += share.running.size;
		if (!share.isQueued) return;
		queues[before].splice(queues[before].indexOf(share), 1);
		queues[share.pace].push(share);
	};

	/** Attempts that take long make their integration slow while they run. */
	const review = () => {
		if (now() - reviewedAt < REVIEW_MS) return;
		reviewedAt = now();
		for (const share of active) judge(share);
	};

	const windowOf = (share: Share): number => {
		if (share.pace === "quick") return perIntegration;
		if (share.pace === "unknown") return 1;
		const part = QUICK_MS / durationOf(share);
		return Math.max(1, Math.floor(perIntegration * part));
	};

	const countInFlight = () =>
		inFlightOf.quick + inFlightOf.slow + inFlightOf.unknown;

	/** How many more attempts all integrations of a pace may start. */
	const roomFor = (pace: Speed): number => {
		const free = concurrency - countInFlight();
		if (pace === "quick") return free;
		const most =
			pace === "unknown"
				? concurrency >> 2
				: Math.max(concurrency >> 5, queues.quick.length > 0 ? 0 : free >> 1);
		return Math.max(0, Math.min(free, Math.max(1, most) - inFlightOf[pace]));
	};

	const enqueue = (share: Share) => {
		if (share.isQueued || share.waiting.length === 0) return;
		share.isQueued = true;
		queues[share.pace].push(share);
	};

	/** The first that has not waited too long: another worker, or this one, will claim such a one again. */
	const takeFirst = (share: Share): ClaimedDelivery | undefined => {
		for (;;) {
			const first = share.waiting.shift();
			if (!first) return undefined;
			waiting--;
			if (now() <= first.startBy) return first.delivery;
		}
	};

	/** The next delivery of the integrations of a pace that may start one, each tried once. */
	const startOf = (pace: Speed): Attempt | undefined => {
		if (roomFor(pace) <= 0) return undefined;
		const queue = queues[pace];
		for (let tried = queue.length; tried > 0; tried--) {
			const share = queue.shift() as Share;
			share.isQueued = false;
			const mayStart = share.running.size < windowOf(share);
			const delivery = mayStart ? takeFirst(share) : undefined;
			enqueue(share);
			if (!delivery) continue;
			active.add(share);
			inFlightOf[pace]++;
			return share.running.add({ delivery, startedAt: now() });
		}
		return undefined;
	};

	const heldBy = ({ running, waiting }: Share) => running.size + waiting.length;

	const queued = () => [...queues.quick, ...queues.unknown, ...queues.slow];

	const stuckShares = () => {
		review();
		return queues.slow;
	};

	/** Room for what begins at once. */
	const toRoom = (pace: Speed): Room => ({
		limit: queues[pace].reduce(
			(room, share) => room - share.waiting.length,
			roomFor(pace),
		),
		roomOf(id) {
			const share = shareOf(id);
			return share.pace === pace ? windowOf(share) - heldBy(share) : 0;
		},
	});

	const isAnySlow = () => {
		for (const { pace } of shares.values()) if (pace === "slow") return true;
		return false;
	};

	const takeWaiting = (from: readonly Share[]): ClaimedDelivery[] => {
		const taken = from.flatMap((share) => share.waiting.splice(0));
		waiting -= taken.length;
		return taken.map(({ delivery }) => delivery);
	};

	return {
		get inFlight() {
			return countInFlight();
		},
		get waiting() {
			return waiting;
		},
		add(added) {
			waiting += added.length;
			for (const one of added) {
				const share = shareOf(one.delivery.integration.id);
				share.waiting.push(one);
				enqueue(share);
			}
		},
		start() {
			review();
			return startOf("unknown") ?? startOf("slow") ?? startOf("quick");
		},
		end(attempt) {
			const { delivery, startedAt } = attempt.value;
			const share = shareOf(delivery.integration.id);
			const tookMs = now() - startedAt;
			share.running.remove(attempt);
			inFlightOf[share.pace]--;
			if (share.running.size === 0) active.delete(share);
			share.meanMs =
				share.meanMs === null
					? tookMs
					: share.meanMs + (tookMs - share.meanMs) * NEWEST;
			judge(share);
		},
		rooms() {
			review();
			return {
				quick: {
					limit: MOST_AHEAD - waiting,
					roomOf(id) {
						const share = shareOf(id);
						if (share.pace !== "quick") return 0;
						const ahead = (perIntegration * AHEAD_MS) / (durationOf(share) + 1);
						return perIntegration + Math.ceil(ahead) - heldBy(share);
					},
				},
				unknown: toRoom("unknown"),
				// To look for one where there is none takes a step through all that wait.
				slow: isAnySlow() ? toRoom("slow") : { limit: 0, roomOf: () => 0 },
			};
		},
		heldOf: (id) => heldBy(shareOf(id)),
		waitingFor: () =>
			queued().flatMap(({ waiting: [first] }) =>
				first ? [first.delivery.integration.id] : [],
			),
		isStuck: () => stuckShares().some((share) => share.waiting.length > 0),
		takeStuck: () => takeWaiting(stuckShares()),
		takeOf: (ids) => takeWaiting(ids.map(shareOf)),
		drain: () => takeWaiting(queued()),
	};
}
