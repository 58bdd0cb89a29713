import type { ClaimRequest } from "../dedupe/dedup-store.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";

/** A verified event as an inbox keeps it. */
export interface InboxEvent extends Omit<ClaimRequest, "leaseMs"> {
	eventId: string;
	/** The JSON text of the body. */
	body: string;
	/** What else a handler's context is made from, as JSON: the claims and what was found out about them. */
	envelope: string;
}

/** `stored` is durable; `duplicate` was stored before (decisions §2: duplicate or not). */
export type PutResult =
	| {
			state: "stored";
			/** The same delivery id came with another payload. */
			conflict: boolean;
	  }
	| { state: "duplicate" };

/** Names one attempt at an event; `fence` tells its holder from a later one. */
export interface InboxTicket {
	id: number;
	fence: string;
}

/** An event that was taken to be processed. */
export interface InboxItem extends InboxTicket {
	eventId: string;
	fingerprint: string;
	body: string;
	envelope: string;
	/** From 1; each time that the event was taken counts, also if its process died. */
	attempt: number;
	conflict: boolean;
	/** A higher sequence of the same record is already done. */
	stale: boolean;
}

/** Which events to take. */
export interface TakeRequest {
	/** Those that there are handlers for; others wait. */
	eventIds: readonly string[];
	limit: number;
	fence: string;
	leaseMs: number;
}

/** What becomes of an event after an attempt; `ttlMs` is how long it is remembered as a duplicate's first. */
export type Settlement =
	| { state: "done"; ttlMs: number }
	| { state: "dead"; ttlMs: number; error: string }
	| {
			state: "pending";
			delayMs: number;
			error: string;
			/** Sets the count of attempts; what was interrupted does not count. */
			attempts?: number;
	  };

const INBOX_STATES = ["pending", "processing", "done", "dead"] as const;
export type InboxState = (typeof INBOX_STATES)[number];

/** How much is in an inbox. An event whose lease is over counts as pending. */
export type InboxStats = Record<InboxState, number> & {
	/** The age of the oldest event that is pending or processing; null if there is none. */
	oldestAgeMs: number | null;
};

/** One event of a list, without its body and its claims. Times are milliseconds since the epoch. */
export interface InboxEntry {
	id: number;
	state: InboxState;
	eventId: string;
	/** Company and `jti`; null if its token had none. */
	deliveryId: string | null;
	entityId: string | null;
	sequence: number | null;
	attempts: number;
	/** What the last attempt failed with. */
	error: string | null;
	receivedAtMs: number;
	/** When a pending event is tried next, or a processing one's lease ends. */
	dueAtMs: number;
}

/**
 * Where an inbox keeps its events. Every method is atomic across all processes, and times go by the store's own clock. Events of one
 * record are taken one at a time, in the order in which they were put. `describeInboxStore` of `@partnerwire/receiver/testing` is the
 * contract as a test suite.
 */
export interface InboxStore {
	/** Resolves only when the event would survive a crash of everything. */
	put(event: InboxEvent): Awaitable<PutResult>;
	take(request: TakeRequest): Awaitable<InboxItem[]>;
	/** Holds an event for another lease; false if it was taken over. */
	extend(ticket: InboxTicket, leaseMs: number): Awaitable<boolean>;
	/** False, without effect, if the event was taken over or settled since. A done event keeps neither body nor claims. */
	settle(ticket: InboxTicket, settlement: Settlement): Awaitable<boolean>;
	stats(): Awaitable<InboxStats>;
	/** Oldest first. */
	list(query: { state?: InboxState; limit: number }): Awaitable<InboxEntry[]>;
	/** Makes a dead event, or one that waits, due now; all the dead without an id. The number of events. */
	retry(id?: number): Awaitable<number>;
	/** A payload's done and dead events make no duplicates any more; their number. */
	forget(fingerprint: string): Awaitable<number>;
	/** Removes done events whose time is over. */
	purge(): Awaitable<void>;
	close(): Awaitable<void>;
}
