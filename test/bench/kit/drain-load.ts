// A process that drains a full queue, as the bench sees it.

/** The number of integrations that share the deliveries, where a contender knows integrations. */
export const DRAINED_INTEGRATIONS = 32;
export interface DrainCalls {
	open(given: {
		folder: string;
		origin: string;
		/** The URL of the database. */
		database: string;
	}): Promise<void>;
	/** Stores this many deliveries, a multiple of `DRAINED_INTEGRATIONS`, and nothing else. */
	fill(rows: number): Promise<void>;
	/** Delivers them. Resolves when every result is stored, to the seconds that it took. */
	drain(rows: number): Promise<number>;
	[name: string]: (argument: never) => unknown;
}
