import type { Awaitable } from "../verify/platform-crypto.ts";

/** The ids by which a delivery is recognised (docs/receiver.md#duplicates). */
export interface ClaimRequest {
	fingerprint: string;
	/** Company and `jti`. Null if the token has no `jti`: the payload alone decides then. */
	deliveryId: string | null;
	/** The record that the event is about. Null if it has no uuid. */
	entityId: string | null;
	sequence: number | null;
	/** True for a payload without any timestamp. Earlier payloads of the same entity then count as new again (A → B → A). */
	supersedes: boolean;
	/** How long the claim holds if its holder dies. */
	leaseMs: number;
}

/** Identifies one claim. `fence` tells its holder from a later one. */
export interface Ticket {
	fingerprint: string;
	deliveryId: string | null;
	fence: string;
}

/** `claimed`: run the handler. `done`: it is a duplicate. `running`: another copy is being handled now. */
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
 * A store that recognises deliveries. Every method is atomic across all users of the same records, and returns its result or a
 * promise of it. The store's own clock measures the times. `describeDedupStore` of `@partnerwire/receiver/testing` tests all of this.
 */
export interface DedupStore {
	claim(request: ClaimRequest): Awaitable<ClaimResult>;
	/** Keeps the record for `ttlMs`. False, without effect, if the claim was taken over. */
	commit(ticket: Ticket, ttlMs: number): Awaitable<boolean>;
	/** Frees the claim, so that a retry runs. False, without effect, if the claim was taken over or committed. */
	release(ticket: Ticket): Awaitable<boolean>;
	/** Removes every record of a payload, and returns their number. */
	forget(fingerprint: string): Awaitable<number>;
}
