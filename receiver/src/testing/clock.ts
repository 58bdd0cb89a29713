/** A clock that stands still until it is moved. */
export interface TestClock {
	/** Milliseconds since the epoch: pass it as the `clock` option of a receiver, a verifier or a store. */
	readonly now: () => number;
	readonly advance: (ms: number) => void;
	readonly set: (ms: number) => void;
}

/** Creates a clock for tests. It starts at noon of 2026-01-01 (UTC) by default. */
export function createTestClock(startMs = Date.UTC(2026, 0, 1, 12)): TestClock {
	let nowMs = startMs;
	return {
		now: () => nowMs,
		advance: (ms) => {
			nowMs += ms;
		},
		set: (ms) => {
			nowMs = ms;
		},
	};
}
