import type { ClaimRequest } from "../dedupe/dedup-store.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";

/** A verified event, as an inbox stores it. */
export interface InboxEvent extends Omit<ClaimRequest, "leaseMs"> {
	eventId: string;
	/** The JSON text of the body. */
	body: string;
	/** The rest of a handler's context as JSON: the claims and the results of checking them. */
	envelope: string;
}

/** `stored`: the event is durable. `duplicate`: it was stored before (docs/receiver.md#duplicates). */
export type PutResult =
	| {
			state: "stored";
			/** The same delivery id came with another payload. */
			conflict: boolean;
	  }
	| { state: "duplicate" };

/** Identifies one attempt at an event. `fence` tells its holder from a later one. */
export interface InboxTicket {
	id: number;
	fence: string;
}

/** An event that a worker has taken. */
export interface InboxItem extends InboxTicket {
	eventId: string;
	fingerprint: string;
	body: string;
	envelope: string;
	/** The number of this attempt, from 1. Attempts whose process died count too. */
	attempt: number;
	conflict: boolean;
	/** A higher sequence of the same record is already done. */
	stale: boolean;
}

/** Which events to take. */
export interface TakeRequest {
	/** The events that have handlers. Others wait. */
	eventIds: readonly string[];
	limit: number;
	fence: string;
	leaseMs: number;
}

/** The event's state after an attempt. For `ttlMs` later copies are recognised as duplicates of it. */
export type Settlement =
	| { state: "done"; ttlMs: number }
	| { state: "dead"; ttlMs: number; error: string }
	| {
			state: "pending";
			delayMs: number;
			error: string;
			/** Sets the number of attempts: an interrupted one does not count. */
			attempts?: number;
	  };

const INBOX_STATES = ["pending", "processing", "done", "dead"] as const;
export type InboxState = (typeof INBOX_STATES)[number];

/** The number of events in each state. An event whose lease is over counts as pending. */
export type InboxStats = Record<InboxState, number> & {
	/** The age of the oldest event that is pending or processing. Null if there is none. */
	oldestAgeMs: number | null;
};

/** One event of a list, without its body and its claims. Times are milliseconds since the epoch. */
export interface InboxEntry {
	id: number;
	state: InboxState;
	eventId: string;
	/** Company and `jti`. Null if the token had no `jti`. */
	deliveryId: string | null;
	entityId: string | null;
	sequence: number | null;
	attempts: number;
	/** The error of the last attempt. */
	error: string | null;
	receivedAtMs: number;
	/** When a pending event is tried next, or the lease of a processing one ends. */
	dueAtMs: number;
}

/**
 * The storage of an inbox. Every method is atomic across all processes, and the store's own clock measures the times. Events of one
 * record are taken one at a time, in the order in which they were put. `describeInboxStore` of `@partnerwire/receiver/testing` tests
 * all of this.
 */
export interface InboxStore {
	/** Resolves only when the event would survive a crash of the whole machine. */
	put(event: InboxEvent): Awaitable<PutResult>;
	take(request: TakeRequest): Awaitable<InboxItem[]>;
	/** Holds an event for another lease. False if it was taken over. */
	extend(ticket: InboxTicket, leaseMs: number): Awaitable<boolean>;
	/** Stores an event's new state. False, without effect, if it was taken over or settled. A done event keeps neither body nor claims. */
	settle(ticket: InboxTicket, settlement: Settlement): Awaitable<boolean>;
	stats(): Awaitable<InboxStats>;
	/** Oldest first. */
	list(query: { state?: InboxState; limit: number }): Awaitable<InboxEntry[]>;
	/** Makes a dead or waiting event due now, or all dead ones without an id. Returns the number of events. */
	retry(id?: number): Awaitable<number>;
	/** Forgets a payload's done and dead events, so that a copy is no duplicate. Returns their number. */
	forget(fingerprint: string): Awaitable<number>;
	/** Removes done events that are no longer needed to recognise duplicates. */
	purge(): Awaitable<void>;
	close(): Awaitable<void>;
}
