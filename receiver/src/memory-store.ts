import { ReceiverConfigError } from "./config-error.ts";
import type { ClaimRequest, DedupStore, Ticket } from "./dedup-store.ts";
import { createMultimap } from "./multimap.ts";

/** How much a memory store keeps. */
export interface MemoryStoreOptions {
	/** The oldest records go first beyond this many (case F10). */
	maxEntries?: number;
	/** Milliseconds that never go back; `performance.now` by default (case F15). */
	clock?: () => number;
}

/** A dedup store in this process's memory. */
export interface MemoryStore extends DedupStore {
	/** How many records are held. */
	readonly size: number;
}

interface Entry extends Ticket {
	/** Set on payloads without a timestamp only: a later one of the entity makes this one count as new again. */
	supersededBy: string | null;
	entityId: string | null;
	sequence: number | null;
	done: boolean;
	expiresAt: number;
}

const keyOf = (fingerprint: string, deliveryId: string | null): string =>
	`${fingerprint} ${deliveryId ?? ""}`;

/**
 * Deduplication in this process's memory, bounded by time and by count, without a timer (case F10). Each process has its own:
 * for several, or to survive a restart, take a store over a database.
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
	const o = { maxEntries: 100_000, clock: () => performance.now(), ...options };
	if (!Number.isSafeInteger(o.maxEntries) || o.maxEntries < 1)
		throw new ReceiverConfigError(
			"CONFIG_STORE",
			"memoryStore: maxEntries must be a whole number of at least 1.",
		);
	/** In order of insertion, which for records of one lifetime is the order in which they expire. */
	const entries = new Map<string, Entry>();
	const byFingerprint = createMultimap<Entry>();
	const byDelivery = createMultimap<Entry>();
	const byEntity = createMultimap<Entry>();
	/** The highest committed sequence of each entity, oldest first. */
	const sequences = new Map<string, number>();
	let fences = 0;

	function insert(entry: Entry): void {
		entries.set(keyOf(entry.fingerprint, entry.deliveryId), entry);
		byFingerprint.add(entry.fingerprint, entry);
		if (entry.deliveryId) byDelivery.add(entry.deliveryId, entry);
		if (entry.supersededBy) byEntity.add(entry.supersededBy, entry);
	}

	function remove(entry: Entry): void {
		entries.delete(keyOf(entry.fingerprint, entry.deliveryId));
		byFingerprint.delete(entry.fingerprint, entry);
		if (entry.deliveryId) byDelivery.delete(entry.deliveryId, entry);
		if (entry.supersededBy) byEntity.delete(entry.supersededBy, entry);
	}

	/** Removes what has expired from the old end, and the oldest done ones beyond the limit; amortised to one step a write. */
	function sweep(now: number): void {
		for (const entry of entries.values()) {
			if (entry.expiresAt <= now) remove(entry);
			else if (entries.size <= o.maxEntries) break;
			// A running claim is a lock, not a memory: evicting it would let a copy run beside it.
			else if (entry.done) remove(entry);
		}
	}

	function noteSequence({ entityId, sequence }: Entry): void {
		if (entityId === null || sequence === null) return;
		const highest = Math.max(sequences.get(entityId) ?? sequence, sequence);
		sequences.delete(entityId);
		sequences.set(entityId, highest);
		for (const oldest of sequences.keys()) {
			if (sequences.size <= o.maxEntries) break;
			sequences.delete(oldest);
		}
	}

	/** The live record that makes this delivery a copy: its own, or one of the payload if either has no delivery id. */
	function findCopy(
		{ fingerprint, deliveryId }: ClaimRequest,
		now: number,
	): Entry | undefined {
		const candidates =
			deliveryId === null
				? byFingerprint.get(fingerprint)
				: [
						entries.get(keyOf(fingerprint, deliveryId)),
						entries.get(keyOf(fingerprint, null)),
					];
		let running: Entry | undefined;
		for (const entry of candidates) {
			if (!entry || entry.expiresAt <= now) continue;
			if (entry.done) return entry;
			running = entry;
		}
		return running;
	}

	function hasConflict(request: ClaimRequest, now: number): boolean {
		if (request.deliveryId === null) return false;
		for (const entry of byDelivery.get(request.deliveryId))
			if (entry.fingerprint !== request.fingerprint && entry.expiresAt > now)
				return true;
		return false;
	}

	function supersede(entityId: string, fingerprint: string): void {
		for (const entry of [...byEntity.get(entityId)])
			if (entry.done && entry.fingerprint !== fingerprint) remove(entry);
	}

	function held({ fingerprint, deliveryId, fence }: Ticket): Entry | undefined {
		const entry = entries.get(keyOf(fingerprint, deliveryId));
		return entry?.fence === fence && !entry.done ? entry : undefined;
	}

	return {
		get size() {
			return entries.size;
		},

		claim(request) {
			const now = o.clock();
			const copy = findCopy(request, now);
			if (copy) return { state: copy.done ? "done" : "running" };
			const { fingerprint, deliveryId, entityId, sequence } = request;
			const expired = entries.get(keyOf(fingerprint, deliveryId));
			if (expired) remove(expired);
			const supersededBy = request.supersedes ? entityId : null;
			if (supersededBy) supersede(supersededBy, fingerprint);
			const conflict = hasConflict(request, now);
			const highest = entityId === null ? undefined : sequences.get(entityId);
			const stale =
				sequence !== null && highest !== undefined && highest > sequence;
			const ticket = { fingerprint, deliveryId, fence: String(++fences) };
			insert({
				...ticket,
				supersededBy,
				entityId,
				sequence,
				done: false,
				expiresAt: now + request.leaseMs,
			});
			sweep(now);
			return { state: "claimed", ticket, conflict, stale };
		},

		commit(ticket, ttlMs) {
			const entry = held(ticket);
			if (!entry) return false;
			remove(entry);
			entry.done = true;
			entry.expiresAt = o.clock() + ttlMs;
			insert(entry);
			noteSequence(entry);
			return true;
		},

		release(ticket) {
			const entry = held(ticket);
			if (entry) remove(entry);
			return entry !== undefined;
		},

		forget(fingerprint) {
			const found = [...byFingerprint.get(fingerprint)];
			for (const entry of found) remove(entry);
			return found.length;
		},
	};
}
