import { ApiError } from "@partnerwire/contract";

/** The emulator's time, as its API shows it. */
export interface ClockState {
	/** Now, ISO 8601. */
	readonly now: string;
	readonly mode: "running" | "frozen";
}

/** The emulator's clock. A test can freeze it, set it and let it run. */
export interface EmulatorClock {
	/** Milliseconds since the epoch. */
	(): number;
	state(): ClockState;
	/** Stops the clock, now or at the given time. */
	freeze(atMs?: number): void;
	/** Jumps to a time. The clock stays frozen or running. */
	set(atMs: number): void;
	/** Lets the clock run on from its time. */
	resume(): void;
	/** Back to the state at the start. */
	reset(): void;
}

/** The range of times that every part of the system can write. */
const FIRST_MS = Date.UTC(1971, 0, 1);
const LAST_MS = Date.UTC(9000, 0, 1);

/** Returns the time, or throws a 400 if it is out of the emulator's range. */
export function checkTime(atMs: number): number {
	if (atMs >= FIRST_MS && atMs < LAST_MS) return atMs;
	throw new ApiError(
		"validation_error",
		"the clock takes times from 1971 to 8999",
	);
}

/** Creates a clock: frozen at `startMs`, or running with the system's time. */
export function createEmulatorClock(
	startMs: number | undefined,
	system: () => number = () => Date.now(),
): EmulatorClock {
	let frozenAt = startMs === undefined ? undefined : checkTime(startMs);
	let offsetMs = 0;
	const now = () => frozenAt ?? system() + offsetMs;
	return Object.assign(now, {
		state: (): ClockState => ({
			now: new Date(now()).toISOString(),
			mode: frozenAt === undefined ? ("running" as const) : ("frozen" as const),
		}),
		freeze(atMs = now()) {
			frozenAt = checkTime(atMs);
		},
		set(atMs: number) {
			checkTime(atMs);
			if (frozenAt !== undefined) frozenAt = atMs;
			else offsetMs = atMs - system();
		},
		resume() {
			if (frozenAt === undefined) return;
			offsetMs = frozenAt - system();
			frozenAt = undefined;
		},
		reset() {
			frozenAt = startMs;
			offsetMs = 0;
		},
	});
}
