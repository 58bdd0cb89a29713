import type { Awaitable } from "../verify/platform-crypto.ts";

/** What a delivery is recognised by (decisions §2: duplicate or not). */
export interface ClaimRequest {
	fingerprint: string;
	/** Company and `jti`; null if the token has none, and then the payload alone decides. */
	deliveryId: string | null;
	/** The record that the event is about; null if it cannot be named. */
	entityId: string | null;
	sequence: number | null;
	/** True for payloads without any timestamp: this one makes older ones of the same entity count as new again (A → B → A). */
	supersedes: boolean;
	/** How long the claim holds if its holder dies. */
	leaseMs: number;
}

/** Names one claim; `fence` tells its holder from a later one. */
export interface Ticket {
	fingerprint: string;
	deliveryId: string | null;
	fence: string;
}

/** `claimed` runs the handler, `done` is a duplicate, `running` is a copy of which the first still runs. */
export type ClaimResult =
	| {
			state: "claimed";
			ticket: Ticket;
			/** The same delivery id came with another payload. */
			conflict: boolean;
			/** A higher sequence of the entity is already committed. */
			stale: boolean;
	  }
	| { state: "done" }
	| { state: "running" };

/**
 * Where deliveries are recognised. Every method is atomic across all users of the same records, answers at once or with a promise,
 * and times out by the store's own clock (case F15). `describeDedupStore` of `@partnerwire/receiver/testing` is the contract as a test suite.
 */
export interface DedupStore {
	claim(request: ClaimRequest): Awaitable<ClaimResult>;
	/** Keeps the record for `ttlMs`; false, without effect, if the claim was taken over since. */
	commit(ticket: Ticket, ttlMs: number): Awaitable<boolean>;
	/** Frees the claim, so that a retry runs; false, without effect, if it was taken over or committed since. */
	release(ticket: Ticket): Awaitable<boolean>;
	/** Removes every record of a payload; the number removed. */
	forget(fingerprint: string): Awaitable<number>;
}
