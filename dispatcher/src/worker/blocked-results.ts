import type { AttemptOutcome, RecordResult } from "@partnerwire/core";

export interface BlockedResultsOptions {
	/** Writes results. If another transaction holds their integration, it waits a short time for it. */
	readonly record: (
		results: readonly AttemptOutcome[],
	) => Promise<RecordResult>;
	readonly onFault: (error: unknown) => void;
	/** Called after results were written: there may be more to claim. */
	readonly onTaken: () => void;
}

/** Results whose rows another transaction holds. They are written apart from the batches, so that no batch waits for them. */
export interface BlockedResults {
	readonly size: number;
	/** Takes results that a batch could not write. Returns those to try again with the next batch: other workers hold rows only while they write. */
	add(results: readonly AttemptOutcome[]): AttemptOutcome[];
	/** Tries again to write results that could not be written before. */
	retry(): void;
	/** Stops after at most this time. Deliveries whose results are not written by then are sent again. */
	stop(withinMs: number): Promise<void>;
}

/** The number of batches in which a result is tried whose rows others hold. After that it is written apart from them. */
const TRIES = 3;

/**
 * Writes one integration after the other, each in a transaction of its own. If another transaction holds the rows for longer than
 * `record` waits, they are tried again at the next `retry`.
 */
export function createBlockedResults(o: BlockedResultsOptions): BlockedResults {
	const triesOf = new WeakMap<AttemptOutcome, number>();
	let next: AttemptOutcome[] = [];
	let trying: readonly AttemptOutcome[] = [];
	const stuck: AttemptOutcome[] = [];
	let working: Promise<void> | undefined;
	let giveUpAt = Number.POSITIVE_INFINITY;

	const integrationOf = ({ delivery }: AttemptOutcome) =>
		delivery.integrationId;

	async function work(): Promise<void> {
		while (performance.now() < giveUpAt) {
			const [first] = next;
			if (!first) break;
			const id = integrationOf(first);
			trying = next.filter((result) => integrationOf(result) === id);
			next = next.filter((result) => integrationOf(result) !== id);
			try {
				const { taken, later } = await o.record(trying);
				stuck.push(...later);
				if (taken > 0) o.onTaken();
			} catch (error) {
				stuck.push(...trying, ...next.splice(0));
				o.onFault(error);
			}
			trying = [];
		}
	}

	function begin(): void {
		working ??= work().finally(() => {
			working = undefined;
		});
	}

	return {
		get size() {
			return next.length + trying.length + stuck.length;
		},
		add(results) {
			const nextBatch: AttemptOutcome[] = [];
			const apart: AttemptOutcome[] = [];
			for (const result of results) {
				const tries = (triesOf.get(result) ?? 0) + 1;
				triesOf.set(result, tries);
				(tries < TRIES ? nextBatch : apart).push(result);
			}
			// Before those that could not be written at the last try.
			next.unshift(...apart);
			if (apart.length > 0) begin();
			return nextBatch;
		},
		retry() {
			next.push(...stuck.splice(0));
			if (next.length > 0) begin();
		},
		async stop(withinMs) {
			giveUpAt = performance.now() + withinMs;
			await working;
		},
	};
}
