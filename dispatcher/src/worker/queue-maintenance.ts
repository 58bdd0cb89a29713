import {
	CLOCK_SKEW_MS,
	passFailingHeads,
	reclaimExpired,
	reclaimFromDead,
	rescheduleAfterClockChange,
	type Store,
	type WorkerLock,
} from "@partnerwire/core";

interface TidyingOptions {
	readonly store: Store;
	/** This worker's own. */
	readonly lock: WorkerLock;
	/** The application clock, in milliseconds. */
	readonly clock: () => number;
	/** How long a claim lasts. */
	readonly leaseMs: number;
}

/** Finds changes that nobody announces: leases that ended, workers that died, lanes whose head fails for too long, and a clock that was set back. */
export function createQueueMaintenance(o: TidyingOptions): () => Promise<void> {
	/** The latest time of the clock. Infinity makes the first run check the times that an earlier process planned. */
	let latestMs = Number.POSITIVE_INFINITY;
	return async () => {
		const nowMs = o.clock();
		const hasSteppedBack = nowMs < latestMs - CLOCK_SKEW_MS;
		if (hasSteppedBack)
			await rescheduleAfterClockChange(o.store, { nowMs, leaseMs: o.leaseMs });
		latestMs = hasSteppedBack ? nowMs : Math.max(latestMs, nowMs);
		await reclaimExpired(o.store);
		await reclaimFromDead(o.store, o.lock);
		await passFailingHeads(o.store, nowMs);
	};
}
