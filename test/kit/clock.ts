/** An application clock that moves only when a test advances it. */
export interface TestClock {
	(): number;
	advance(ms: number): void;
}

/** A clock that starts at 2026-11-27T12:00:00.000Z by default. */
export function createClock(startMs = Date.UTC(2026, 10, 27, 12)): TestClock {
	let nowMs = startMs;
	return Object.assign(() => nowMs, {
		advance(ms: number) {
			nowMs += ms;
		},
	});
}
