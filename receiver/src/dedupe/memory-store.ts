import { createBoundedMap } from "../common/bounded-map.ts";
import { ReceiverConfigError } from "../common/config-error.ts";
import type { ClaimRequest, DedupStore, Ticket } from "./dedup-store.ts";
import { createExpiryList, type Expiring } from "./expiry-list.ts";
import { createMultimap } from "./multimap.ts";

/** The options of `memoryStore`. */
export interface MemoryStoreOptions {
	/** Beyond this number the oldest records are removed. */
	maxEntries?: number;
	/** Milliseconds that never go back: `performance.now` by default. */
	clock?: () => number;
}

/** A dedup store in this process's memory. */
export interface MemoryStore extends DedupStore {
	/** The number of records. */
	readonly size: number;
}

interface Entry extends Ticket, Expiring<Entry> {
	entityId: string | null;
	sequence: number | null;
	/** For payloads without a timestamp: after a later payload of the entity, this one counts as new again. */
	supersedable: boolean;
	done: boolean;
}

type Delivery = Pick<Ticket, "fingerprint" | "deliveryId">;

const identityOf = ({ fingerprint, deliveryId }: Delivery): string =>
	deliveryId ?? fingerprint;

/**
 * Recognises duplicates in this process's memory, within limits of time and number, without a timer. For several processes, or to
 * survive a restart, use a store over a database.
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
	const o = { maxEntries: 100_000, clock: () => performance.now(), ...options };
	if (!Number.isSafeInteger(o.maxEntries) || o.maxEntries < 1)
		throw new ReceiverConfigError(
			"CONFIG_STORE",
			"memoryStore: maxEntries must be a whole number of at least 1.",
		);
	// A running claim is a lock and must not be evicted. So it has a list of its own.
	const running = createExpiryList<Entry>();
	const done = createExpiryList<Entry>();
	const listOf = (entry: Entry) => (entry.done ? done : running);
	const byFingerprint = createMultimap<Entry>();
	/** By delivery id, or by fingerprint without one. */
	const byIdentity = createMultimap<Entry>();
	const byEntity = createMultimap<Entry>();
	/** The highest committed sequence of each entity. */
	const sequences = createBoundedMap<number>(o.maxEntries);
	let fences = 0;

	function findOwn(delivery: Delivery): Entry | undefined {
		for (const entry of byIdentity.get(identityOf(delivery)))
			if (entry.fingerprint === delivery.fingerprint) return entry;
		return undefined;
	}

	function insert(entry: Entry): void {
		listOf(entry).append(entry);
		byFingerprint.add(entry.fingerprint, entry);
		byIdentity.add(identityOf(entry), entry);
		if (entry.supersedable && entry.entityId)
			byEntity.add(entry.entityId, entry);
	}

	function remove(entry: Entry): void {
		listOf(entry).remove(entry);
		byFingerprint.delete(entry.fingerprint, entry);
		byIdentity.delete(identityOf(entry), entry);
		if (entry.supersedable && entry.entityId)
			byEntity.delete(entry.entityId, entry);
	}

	/** Removes expired records, and the oldest done ones beyond the limit. On average one step for each write. */
	function sweep(now: number): void {
		for (const list of [running, done])
			while (list.oldest && list.oldest.expiresAt <= now) remove(list.oldest);
		while (done.oldest && running.size + done.size > o.maxEntries)
			remove(done.oldest);
	}

	function noteSequence({ entityId, sequence }: Entry): void {
		if (entityId === null || sequence === null) return;
		const highest = sequences.get(entityId);
		if (highest !== undefined && highest >= sequence) return;
		sequences.set(entityId, sequence);
	}

	/** Finds the record of which this delivery is a copy: its own, or one of the same payload if either has no delivery id. */
	function findCopy(request: ClaimRequest, now: number): Entry | undefined {
		const { fingerprint, deliveryId } = request;
		let unfinished: Entry | undefined;
		const consider = (candidates: Iterable<Entry>): Entry | undefined => {
			for (const entry of candidates) {
				if (entry.fingerprint !== fingerprint || entry.expiresAt <= now)
					continue;
				if (entry.done) return entry;
				unfinished = entry;
			}
			return undefined;
		};
		if (deliveryId === null)
			return consider(byFingerprint.get(fingerprint)) ?? unfinished;
		return (
			consider(byIdentity.get(deliveryId)) ??
			consider(byIdentity.get(fingerprint)) ??
			unfinished
		);
	}

	function hasConflict(request: ClaimRequest, now: number): boolean {
		if (request.deliveryId === null) return false;
		for (const entry of byIdentity.get(request.deliveryId))
			if (entry.fingerprint !== request.fingerprint && entry.expiresAt > now)
				return true;
		return false;
	}

	/** Removes this delivery's own expired record, and the payloads that count as new after it. */
	function clear(request: ClaimRequest): void {
		const own = findOwn(request);
		if (own) remove(own);
		if (!request.supersedes || request.entityId === null) return;
		for (const entry of [...byEntity.get(request.entityId)])
			if (entry.done && entry.fingerprint !== request.fingerprint)
				remove(entry);
	}

	const held = (ticket: Ticket): Entry | undefined => {
		const own = findOwn(ticket);
		return own?.fence === ticket.fence && !own.done ? own : undefined;
	};

	return {
		get size() {
			return running.size + done.size;
		},

		claim(request) {
			const now = o.clock();
			const copy = findCopy(request, now);
			if (copy) return { state: copy.done ? "done" : "running" };
			clear(request);
			const { fingerprint, deliveryId, entityId, sequence } = request;
			const conflict = hasConflict(request, now);
			const highest = entityId === null ? undefined : sequences.get(entityId);
			const stale =
				sequence !== null && highest !== undefined && highest > sequence;
			const fence = String(++fences);
			// Not spread from the ticket: a literal with a spread grows member by member, which took 10 µs.
			insert({
				fingerprint,
				deliveryId,
				fence,
				entityId,
				sequence,
				supersedable: request.supersedes,
				done: false,
				expiresAt: now + request.leaseMs,
				older: undefined,
				newer: undefined,
			});
			sweep(now);
			const ticket = { fingerprint, deliveryId, fence };
			return { state: "claimed", ticket, conflict, stale };
		},

		commit(ticket, ttlMs) {
			const entry = held(ticket);
			if (!entry) return false;
			running.remove(entry);
			entry.done = true;
			entry.expiresAt = o.clock() + ttlMs;
			done.append(entry);
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
