import type { ClaimedDelivery } from "@partnerwire/core";
import {
	createLinkedList,
	type LinkedList,
	type Place,
} from "../linked-list.ts";

export interface SharesOptions {
	/** Attempts at the same time, over all integrations. */
	readonly concurrency: number;
	/** Attempts at the same time, for one integration. */
	readonly perIntegration: number;
	/** Monotonic milliseconds. */
	readonly now: () => number;
}

/** A claimed delivery that waits for its attempt. */
export interface Waiting {
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
export interface Room {
	readonly limit: number;
	readonly roomOf: (integrationId: number) => number;
}

/** Shares the attempts of a worker out over integrations, so that endpoints that do not answer cannot take them all. */
export interface Shares {
	readonly inFlight: number;
	readonly waiting: number;
	add(waiting: readonly Waiting[]): void;
	/** The next delivery to attempt, in turn over the integrations that may start one; it counts as in flight until it ends. */
	start(): Attempt | undefined;
	end(attempt: Attempt): void;
	/** Room to claim ahead for quick integrations. */
	ahead(): Room;
	/** Room of the others, whose attempts begin at once. */
	probes(): Room;
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

interface Share {
	readonly waiting: Waiting[];
	/** The attempts in flight, the oldest first. */
	readonly running: LinkedList<Started>;
	/** The mean duration of its attempts; null before the first has ended. */
	meanMs: number | null;
	isQueued: boolean;
}

type Pace = "quick" | "slow" | "unknown";

/**
 * Each integration may have as many attempts in flight as its attempts are short: all of `perIntegration` up to a second
 * each, half of them at two seconds, one at least, and one until the first has ended. All that are slow together have
 * half of what is free while nothing quick waits, else a thirty-second of the worker; all that are unknown have a quarter
 * of it: whatever the number of endpoints that do not answer, a quick one finds room.
 */
export function createShares({
	concurrency,
	perIntegration,
	now,
}: SharesOptions): Shares {
	const shares = new Map<number, Share>();
	const active = new Set<Share>();
	/** The integrations with deliveries to attempt, the first of each is next; which of the two is seen when its turn comes. */
	const quick: Share[] = [];
	const others: Share[] = [];
	let inFlight = 0;
	let waiting = 0;

	const shareOf = (id: number): Share => {
		let share = shares.get(id);
		if (!share) {
			share = {
				waiting: [],
				running: createLinkedList(),
				meanMs: null,
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

	const paceOf = (share: Share): Pace => {
		if (durationOf(share) > QUICK_MS) return "slow";
		return share.meanMs === null ? "unknown" : "quick";
	};

	const windowOf = (share: Share, pace: Pace): number => {
		if (pace === "quick") return perIntegration;
		if (pace === "unknown") return 1;
		const part = QUICK_MS / durationOf(share);
		return Math.max(1, Math.floor(perIntegration * part));
	};

	/** How many more attempts all integrations of a pace may start. */
	const roomFor = (pace: Pace): number => {
		const free = concurrency - inFlight;
		if (pace === "quick") return free;
		let count = 0;
		for (const share of active)
			if (paceOf(share) === pace) count += share.running.size;
		const most =
			pace === "unknown"
				? concurrency >> 2
				: Math.max(concurrency >> 5, quick.length > 0 ? 0 : free >> 1);
		return Math.max(0, Math.min(free, Math.max(1, most) - count));
	};

	const enqueue = (share: Share) => {
		if (share.isQueued || share.waiting.length === 0) return;
		share.isQueued = true;
		(paceOf(share) === "quick" ? quick : others).push(share);
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

	/** The next delivery of a queue's integrations that may start one, each tried once. */
	const startOf = (queue: Share[]): Attempt | undefined => {
		for (let tried = queue.length; tried > 0; tried--) {
			const share = queue.shift() as Share;
			share.isQueued = false;
			const pace = paceOf(share);
			const mayStart =
				share.running.size < windowOf(share, pace) && roomFor(pace) > 0;
			const delivery = mayStart ? takeFirst(share) : undefined;
			enqueue(share);
			if (!delivery) continue;
			active.add(share);
			inFlight++;
			return share.running.add({ delivery, startedAt: now() });
		}
		return undefined;
	};

	const heldBy = ({ running, waiting }: Share) => running.size + waiting.length;

	const stuckShares = () =>
		[...quick, ...others].filter((share) => paceOf(share) === "slow");

	const takeWaiting = (from: readonly Share[]): ClaimedDelivery[] => {
		const taken = from.flatMap((share) => share.waiting.splice(0));
		waiting -= taken.length;
		return taken.map(({ delivery }) => delivery);
	};

	return {
		get inFlight() {
			return inFlight;
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
			if (inFlight >= concurrency) return undefined;
			return startOf(others) ?? startOf(quick);
		},
		end(attempt) {
			const { delivery, startedAt } = attempt.value;
			const share = shareOf(delivery.integration.id);
			const tookMs = now() - startedAt;
			share.running.remove(attempt);
			if (share.running.size === 0) active.delete(share);
			share.meanMs =
				share.meanMs === null
					? tookMs
					: share.meanMs + (tookMs - share.meanMs) * NEWEST;
			inFlight--;
		},
		ahead: () => ({
			limit: Math.max(0, MOST_AHEAD - waiting),
			roomOf(id) {
				const share = shareOf(id);
				if (paceOf(share) !== "quick") return 0;
				const ahead = (perIntegration * AHEAD_MS) / (durationOf(share) + 1);
				return perIntegration + Math.ceil(ahead) - heldBy(share);
			},
		}),
		probes: () => ({
			limit: roomFor("slow") + roomFor("unknown"),
			roomOf(id) {
				const share = shareOf(id);
				const pace = paceOf(share);
				return pace === "quick"
					? 0
					: Math.min(windowOf(share, pace) - heldBy(share), roomFor(pace));
			},
		}),
		waitingFor: () =>
			[...quick, ...others].flatMap(({ waiting: [first] }) =>
				first ? [first.delivery.integration.id] : [],
			),
		isStuck: () => stuckShares().some((share) => share.waiting.length > 0),
		takeStuck: () => takeWaiting(stuckShares()),
		takeOf: (ids) => takeWaiting(ids.map(shareOf)),
		drain: () => takeWaiting([...quick, ...others]),
	};
}
