// The limits of a claim, as data: the worker fills them in before the transaction begins.
import type { ClaimedDelivery } from "./claim-due.ts";

export interface ClaimOptions {
	/** The application clock, which says what is due. */
	readonly nowMs: number;
	/** How long the deliveries stay this worker's, by the database's clock. */
	readonly leaseMs: number;
	/** The number of the worker's lock (`WorkerLock.id`). Without one only the lease tells when the claims end. */
	readonly workerId?: number | null;
	/**
	 * The limit over all workers. It applies on PostgreSQL, to the integrations that several workers serve. Without it a
	 * claim does not look at other workers.
	 */
	readonly across?: AcrossWorkers;
}

export interface AcrossWorkers {
	/** The most deliveries of an integration under way, over all workers. */
	readonly most: number;
	/**
	 * The deliveries that this worker has claimed and not recorded. One that is missing here only makes the limit
	 * stricter. One too many could exceed it, because another worker's delivery would be taken for this worker's.
	 */
	readonly heldHere: readonly ClaimedDelivery[];
	/**
	 * Whether to begin with integrations that no other worker is serving. Every eighth claim of a worker does not;
	 * otherwise the integrations of a crashed worker would starve.
	 */
	readonly freeFirst?: boolean;
}

export interface ClaimRoom {
	/** The most deliveries to claim. */
	readonly limit: number;
	/** The integration after which to begin. It moves from claim to claim, so that no integration is always last. */
	readonly after?: number;
	/** The most deliveries to claim of each integration, by its key. */
	readonly ofEach?: ReadonlyMap<number, number>;
	/** The most deliveries to claim of each integration that `ofEach` does not list. Left out, there is no limit. */
	readonly ofOthers?: number;
}

/** The most deliveries to claim of an integration. */
export const roomOf = (
	integrationId: number,
	{ ofEach, ofOthers = Number.POSITIVE_INFINITY }: Omit<ClaimRoom, "limit">,
): number => ofEach?.get(integrationId) ?? ofOthers;
