import type { ClaimedDelivery, ClaimRoom } from "@partnerwire/core";
import {
	type Attempt,
	createKnownIntegrations,
	heldBy,
	type Share,
	type Speed,
	type Waiting,
} from "./known-integrations.ts";

export interface FairSchedulerOptions {
	/** Attempts at the same time, over all integrations. */
	readonly concurrency: number;
	/** Attempts at the same time, for one integration. */
	readonly perIntegration: number;
	/** Monotonic milliseconds. */
	readonly now: () => number;
}

/** Divides a worker's attempts among integrations, so that endpoints that do not answer cannot use all of them. */
export interface FairScheduler {
	readonly inFlight: number;
	readonly waiting: number;
	add(waiting: readonly Waiting[]): void;
	/** Starts the next delivery. The integrations that may start one take turns. It is in flight until `end`. */
	start(): Attempt | undefined;
	end(attempt: Attempt): void;
	/** The room for claims. Quick integrations may be claimed ahead; unknown and slow ones only if they can start at once. */
	rooms(): Record<Speed, ClaimRoom>;
	/** The deliveries that are in flight or waiting. */
	held(): ClaimedDelivery[];
	/** The integrations that have waiting deliveries here. */
	waitingFor(): number[];
	/** Whether deliveries of an integration wait that has become slow. They would wait too long here. */
	isStuck(): boolean;
	/** Removes those deliveries. */
	takeStuck(): ClaimedDelivery[];
	/** Removes the waiting deliveries of these integrations. */
	takeOf(integrationIds: readonly number[]): ClaimedDelivery[];
	/** Removes all waiting deliveries. */
	drain(): ClaimedDelivery[];
}

/** The most deliveries claimed ahead of their attempts, over all integrations. */
const MOST_AHEAD = 256;

/** An integration whose attempts take longer than this is slow. */
const QUICK_MS = 1000;
/** Deliveries of a quick integration are claimed ahead for this time. */
const AHEAD_MS = 100;
/** The weight of the newest attempt in the mean duration. */
const NEWEST = 0.2;
/** How often the ages of the attempts in flight are checked. */
const REVIEW_MS = 10;

/**
 * The longer an integration's attempts take, the fewer it may have in flight: `perIntegration` if they take up to a second, half of
 * it at two seconds, and so on down to one. Before its first attempt has ended it may have one. While quick integrations are waiting,
 * all slow ones together use at most 1/32 of a worker's slots; otherwise half of the free slots. All unknown ones together use at most
 * a quarter. So a quick integration finds a slot, however many endpoints do not answer (docs/decisions.md#fairness).
 */
export function createFairScheduler({
	concurrency,
	perIntegration,
	now,
}: FairSchedulerOptions): FairScheduler {
	const shares = createKnownIntegrations();
	const active = new Set<Share>();
	/** The integrations with waiting deliveries, in the order of their turns. */
	const queues: Record<Speed, Share[]> = { quick: [], slow: [], unknown: [] };
	const inFlightOf: Record<Speed, number> = { quick: 0, slow: 0, unknown: 0 };
	let waiting = 0;
	let reviewedAt = now();

	/** The duration of an integration's attempts: their mean, or the age of the oldest in flight if that is longer. */
	const durationOf = ({ meanMs, running }: Share): number => {
		const oldest = running.first?.value;
		return Math.max(meanMs ?? 0, oldest ? now() - oldest.startedAt : 0);
	};

	const speedOf = (share: Share): Speed => {
		if (durationOf(share) > QUICK_MS) return "slow";
		return share.meanMs === null ? "unknown" : "quick";
	};

	const judge = (share: Share) => {
		const before = share.speed;
		share.speed = speedOf(share);
		if (share.speed === before) return;
		inFlightOf[before] -= share.running.size;
		inFlightOf[share.speed] += share.running.size;
		if (!share.isQueued) return;
		queues[before].splice(queues[before].indexOf(share), 1);
		queues[share.speed].push(share);
	};

	/** Looks at the attempts in flight: a long one makes its integration slow before it ends. */
	const review = () => {
		if (now() - reviewedAt < REVIEW_MS) return;
		reviewedAt = now();
		for (const share of active) judge(share);
	};

	const windowOf = (share: Share): number => {
		if (share.speed === "quick") return perIntegration;
		if (share.speed === "unknown") return 1;
		const part = QUICK_MS / durationOf(share);
		return Math.max(1, Math.floor(perIntegration * part));
	};

	const countInFlight = () =>
		inFlightOf.quick + inFlightOf.slow + inFlightOf.unknown;

	/** The number of attempts that all integrations of a speed together may start now. */
	const roomFor = (speed: Speed): number => {
		const free = concurrency - countInFlight();
		if (speed === "quick") return free;
		const most =
			speed === "unknown"
				? concurrency >> 2
				: Math.max(concurrency >> 5, queues.quick.length > 0 ? 0 : free >> 1);
		return Math.max(0, Math.min(free, Math.max(1, most) - inFlightOf[speed]));
	};

	const enqueue = (share: Share) => {
		if (share.isQueued || share.waiting.length === 0) return;
		share.isQueued = true;
		queues[share.speed].push(share);
	};

	/** Takes the first delivery that has not waited too long. Those that have are dropped here: their claim ends with its lease. */
	const takeFirst = (share: Share): ClaimedDelivery | undefined => {
		for (;;) {
			const first = share.waiting.shift();
			if (!first) return undefined;
			waiting--;
			if (now() <= first.startBy) return first.delivery;
		}
	};

	/** Starts the next delivery of a speed. Each integration is tried once. */
	const startOf = (speed: Speed): Attempt | undefined => {
		if (roomFor(speed) <= 0) return undefined;
		const queue = queues[speed];
		for (let tried = queue.length; tried > 0; tried--) {
			const share = queue.shift() as Share;
			share.isQueued = false;
			const mayStart = share.running.size < windowOf(share);
			const delivery = mayStart ? takeFirst(share) : undefined;
			enqueue(share);
			if (!delivery) continue;
			active.add(share);
			inFlightOf[speed]++;
			return share.running.add({ delivery, startedAt: now() });
		}
		return undefined;
	};

	const queued = () => [...queues.quick, ...queues.unknown, ...queues.slow];

	const stuckShares = () => {
		review();
		return queues.slow;
	};

	/** The most deliveries of one integration to hold. Those of a quick one are claimed ahead of their attempts. */
	const mostHeldOf = (share: Share): number => {
		const ahead = (perIntegration * AHEAD_MS) / (durationOf(share) + 1);
		return windowOf(share) + (share.speed === "quick" ? Math.ceil(ahead) : 0);
	};

	/** The room of each known integration. Each belongs to the claim for its speed, and has none in the other claims. */
	const toRooms = () => {
		const rooms: Record<Speed, Map<number, number>> = {
			quick: new Map(),
			slow: new Map(),
			unknown: new Map(),
		};
		for (const [id, share] of shares.all()) {
			if (share.speed !== "unknown") rooms.unknown.set(id, 0);
			rooms[share.speed].set(id, mostHeldOf(share) - heldBy(share));
		}
		return rooms;
	};

	/** The number of deliveries of a speed that can start at once. */
	const limitOf = (speed: Speed): number =>
		queues[speed].reduce(
			(room, share) => room - share.waiting.length,
			roomFor(speed),
		);

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
			for (const entry of added) {
				const share = shares.of(entry.delivery.integrationId);
				share.waiting.push(entry);
				enqueue(share);
			}
		},
		start() {
			review();
			return startOf("unknown") ?? startOf("slow") ?? startOf("quick");
		},
		end(attempt) {
			const { delivery, startedAt } = attempt.value;
			const share = shares.of(delivery.integrationId);
			const tookMs = now() - startedAt;
			share.running.remove(attempt);
			inFlightOf[share.speed]--;
			if (share.running.size === 0) active.delete(share);
			shares.rest(delivery.integrationId);
			share.meanMs =
				share.meanMs === null
					? tookMs
					: share.meanMs + (tookMs - share.meanMs) * NEWEST;
			judge(share);
		},
		rooms() {
			review();
			const { quick, unknown, slow } = toRooms();
			return {
				quick: { limit: MOST_AHEAD - waiting, ofEach: quick, ofOthers: 0 },
				unknown: { limit: limitOf("unknown"), ofEach: unknown, ofOthers: 1 },
				// Without slow integrations the claim need not look for their deliveries among all that wait.
				slow: {
					limit: slow.size > 0 ? limitOf("slow") : 0,
					ofEach: slow,
					ofOthers: 0,
				},
			};
		},
		held() {
			const inFlight = [...active].flatMap(({ running }) => [...running]);
			const waiting = queued().flatMap((share) => share.waiting);
			return [...inFlight, ...waiting].map(({ delivery }) => delivery);
		},
		waitingFor: () =>
			queued().flatMap(({ waiting: [first] }) =>
				first ? [first.delivery.integrationId] : [],
			),
		isStuck: () => stuckShares().some((share) => share.waiting.length > 0),
		takeStuck: () => takeWaiting(stuckShares()),
		takeOf: (ids) => takeWaiting(ids.map(shares.of)),
		drain: () => takeWaiting(queued()),
	};
}
