import type { AttemptOutcome, RecordResult } from "@partnerwire/core";

export interface BlockedResultsOptions {
	/** Writes results, and waits for a moment where another transaction holds their integration. */
	readonly settle: (
		results: readonly AttemptOutcome[],
	) => Promise<RecordResult>;
	readonly onFault: (error: unknown) => void;
	/** Something was written: there may be more to claim. */
	readonly onTaken: () => void;
}

/** Results whose rows another transaction holds: written beside the turns, which they must not hold up. */
export interface BlockedResults {
	readonly size: number;
	countOf(integrationId: number): number;
	add(results: readonly AttemptOutcome[]): void;
	/** Tries again those that could not be written before. */
	retry(): void;
	/** Goes on for at most so long; what is not written then goes again once its lease has ended. */
	stop(withinMs: number): Promise<void>;
}

/**
 * One integration after the other, each with a transaction of its own. What another worker or a change holds in turn is
 * waited for; what is held for longer is tried again at the next `retry`.
 */
export function createBlockedResults(o: BlockedResultsOptions): BlockedResults {
	let next: AttemptOutcome[] = [];
	let trying: readonly AttemptOutcome[] = [];
	const stuck: AttemptOutcome[] = [];
	let working: Promise<void> | undefined;
	let giveUpAt = Number.POSITIVE_INFINITY;

	const integrationOf = ({ delivery }: AttemptOutcome) =>
		delivery.integration.id;

	async function work(): Promise<void> {
		while (performance.now() < giveUpAt) {
			const [first] = next;
			if (!first) break;
			const id = integrationOf(first);
			trying = next.filter((one) => integrationOf(one) === id);
			next = next.filter((one) => integrationOf(one) !== id);
			try {
				const { taken, later } = await o.settle(trying);
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

	const all = () => [...next, ...trying, ...stuck];
	return {
		get size() {
			return next.length + trying.length + stuck.length;
		},
		countOf: (id) => all().filter((one) => integrationOf(one) === id).length,
		add(results) {
			if (results.length === 0) return;
			// Before those that were waited for in vain.
			next.unshift(...results);
			begin();
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
