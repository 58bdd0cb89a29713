/* The integrations that a worker knows: the deliveries of each that wait or are in flight, and how long its attempts take. */
import type { ClaimedDelivery } from "@partnerwire/core";
import {
	createLinkedList,
	type LinkedList,
	type Place,
} from "../http/linked-list.ts";

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

/** The speed of an integration's attempts. Unknown before the first has ended. */
export type Speed = "quick" | "slow" | "unknown";

export interface Share {
	readonly waiting: Waiting[];
	/** The attempts in flight, the oldest first. */
	readonly running: LinkedList<Started>;
	/** The mean duration of its attempts. Null before the first has ended. */
	meanMs: number | null;
	speed: Speed;
	isQueued: boolean;
}

/** The number of integrations whose speed is known. Beyond it, the one that has been idle for longest is unknown again. */
const MOST_KNOWN = 10_000;

/** The deliveries of an integration that are in flight or waiting. */
export const heldBy = ({ running, waiting }: Share) =>
	running.size + waiting.length;

/** Creates the shares of all integrations. Idle ones are forgotten, so that a worker does not grow with each that it ever met. */
export function createKnownIntegrations() {
	const shares = new Map<number, Share>();

	const forgetIdle = () => {
		for (const [id, share] of shares)
			if (heldBy(share) === 0) {
				shares.delete(id);
				return;
			}
	};

	return {
		/** All that are known, with their ids. */
		all: () => shares.entries(),
		/** That of an integration. A new one has an unknown speed. */
		of(id: number): Share {
			let share = shares.get(id);
			if (!share) {
				if (shares.size >= MOST_KNOWN) forgetIdle();
				share = {
					waiting: [],
					running: createLinkedList(),
					meanMs: null,
					speed: "unknown",
					isQueued: false,
				};
				shares.set(id, share);
			}
			return share;
		},
		/** Called after an attempt: the integration may be idle now. */
		rest(id: number): void {
			const share = shares.get(id);
			if (!share || heldBy(share) > 0) return;
			// A Map keeps the order of insertion, so the first idle one has been idle for longest.
			shares.delete(id);
			shares.set(id, share);
		},
	};
}
