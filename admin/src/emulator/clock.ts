import { ApiError } from "@partnerwire/contract";

/** The emulator's time, as it is told. */
export interface ClockState {
	/** Now, ISO 8601. */
	readonly now: string;
	readonly mode: "running" | "frozen";
}

/** The application clock of the emulator: it runs, stands still, or jumps, as it is told. */
export interface EmulatorClock {
	/** Milliseconds since the epoch. */
	(): number;
	state(): ClockState;
	/** Stands still, now or at the given time. */
	freeze(atMs?: number): void;
	/** Jumps to a time, and goes on running or standing still. */
	set(atMs: number): void;
	/** Runs on from where it is. */
	resume(): void;
	/** As at the start. */
	reset(): void;
}

/** Dates that every part of the system can write. */
const FIRST_MS = Date.UTC(1971, 0, 1);
const LAST_MS = Date.UTC(9000, 0, 1);

/** Gives the time back. Throws a 400 for one that is not the emulator's. */
export function checkTime(atMs: number): number {
	if (atMs >= FIRST_MS && atMs < LAST_MS) return atMs;
	throw new ApiError(
		"validation_error",
		"the clock takes times from 1971 to 8999",
	);
}

/** A clock that begins frozen at `startMs`, or running with the system's time. */
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
