import type { Observation } from "../common/verdict.ts";

/** A run of deliveries that were not handled, although a later one was. */
export interface SequenceGap {
	/** The first number that is missing. */
	expected: number;
	/** The next number that was handled. So `received - expected` numbers are missing. */
	received: number;
}

export interface SequenceTrackerOptions {
	/** The last number that was handled before, such as a saved `position()`. By default tracking starts at the first delivery. */
	from?: number;
	/**
	 * How long a number may be missing. Some gaps are normal: a failed delivery is retried later, while those of other records go on.
	 */
	graceMs?: number;
	/** Called once for each gap. A number that arrives later closes its gap silently. */
	onGap?: (gap: SequenceGap) => void;
	/** Milliseconds since the epoch. */
	clock?: () => number;
}

/** Watches the `sequence` of one integration, in this process. */
export interface SequenceTracker {
	/** Pass this as a receiver's `onVerdict`, or call it from there. */
	readonly observe: (observation: Observation) => void;
	/** Marks numbers as not missing, because they were dropped or purged. */
	readonly settle: (from: number, to: number) => void;
	/** The number up to which everything was handled: the `from` of a catch-up. Undefined before the first delivery. */
	readonly position: () => number | undefined;
	/** Reports gaps that are old enough. `observe` does so too. */
	readonly check: () => void;
}

interface Hole {
	from: number;
	to: number;
	sinceMs: number;
	isReported: boolean;
}

/** Beyond this number the oldest two holes are joined. The numbers between them count as missing and are fetched again. */
const MAX_HOLES = 1_000;

/**
 * Finds gaps in the sequence of one integration's deliveries. A gap is a run of numbers that were not answered 200 for `graceMs`
 * (60 s by default), although a later one was. The next delivery or `check()` after that time reports it to `onGap`.
 *
 * @example
 * const sequence = trackSequence({ onGap: ({ expected, received }) => alert(`${expected} to ${received - 1}`) });
 * const receiver = createReceiver({ secret, onVerdict: sequence.observe });
 */
export function trackSequence(
	options: SequenceTrackerOptions = {},
): SequenceTracker {
	const o = { graceMs: 60_000, clock: () => Date.now(), ...options };
	let highest = o.from;
	/** In ascending order. None touches another. */
	let holes: Hole[] = [];

	function settle(from: number, to: number): void {
		highest ??= from - 1;
		if (from > highest + 1)
			holes.push({
				from: highest + 1,
				to: from - 1,
				sinceMs: o.clock(),
				isReported: false,
			});
		highest = Math.max(highest, to);
		holes = holes.flatMap((hole) => without(hole, from, to));
		const [first, second] = holes;
		if (holes.length > MAX_HOLES && first && second)
			holes.splice(0, 2, { ...first, to: second.to });
	}

	function check(): void {
		const nowMs = o.clock();
		for (const hole of holes) {
			if (hole.isReported || nowMs - hole.sinceMs < o.graceMs) continue;
			hole.isReported = true;
			o.onGap?.({ expected: hole.from, received: hole.to + 1 });
		}
	}

	return {
		settle,
		check,
		observe({ sequence, status }) {
			if (sequence !== undefined && status === 200) settle(sequence, sequence);
			check();
		},
		position: () => (holes[0] ? holes[0].from - 1 : highest),
	};
}

/** The parts of a hole that remain when a range of numbers is no longer missing. */
function without(hole: Hole, from: number, to: number): Hole[] {
	if (to < hole.from || from > hole.to) return [hole];
	return [
		{ ...hole, to: from - 1 },
		{ ...hole, from: to + 1 },
	].filter((part) => part.from <= part.to);
}
