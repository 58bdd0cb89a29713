import { ApiError } from "@partnerwire/contract";
import type { H3Event } from "h3";

/** The length of a window (docs/decisions.md#rate-limit). */
export const WINDOW_MS = 60_000;

export interface RateState {
	readonly limit: number;
	readonly remaining: number;
	/** Whole seconds until the window ends. */
	readonly resetS: number;
	readonly isExceeded: boolean;
}

/** Counts one request of a key or of an address, or several. */
export interface RateLimit {
	(subject: string, requests?: number): Promise<RateState | null>;
	/** Takes back one counted request. */
	forget(subject: string): Promise<unknown>;
}

/** Counts nothing. */
export const NO_LIMIT: RateLimit = Object.assign(async () => null, {
	forget: async () => {},
});

/** The state of a window with `used` requests that ends in `leftMs`. */
export const toRateState = (
	limit: number,
	used: number,
	leftMs: number,
): RateState => ({
	limit,
	remaining: Math.max(0, limit - used),
	resetS: Math.max(1, Math.ceil(leftMs / 1000)),
	isExceeded: used > limit,
});

/** Creates a limit. Each kind has counters of its own. A limit of 0 switches it off. */
export type CreateLimit = (
	counted: "request" | "failure" | "sign-in",
	limit: number,
) => RateLimit;

interface Window {
	readonly endsAt: number;
	used: number;
}

/**
 * Counts in this process's memory, in windows of 60 s that start with the key's first request. A limit of 0 switches it
 * off. Not rate-limiter-flexible's memory store: that one uses the system's clock and timers, and the emulator has a clock
 * of its own.
 */
export function createRateLimit(
	limit: number,
	clock: () => number = () => Date.now(),
): RateLimit {
	if (limit === 0) return NO_LIMIT;
	const windows = new Map<string, Window>();
	let sweptAt = clock();

	/** The second condition is for a clock that was set back: the window would stay open too long. */
	const isOver = ({ endsAt }: Window, nowMs: number) =>
		endsAt <= nowMs || endsAt > nowMs + WINDOW_MS;

	/** Removes ended windows once per window, so that keys that never come again cost no memory. */
	function sweep(nowMs: number): void {
		if (Math.abs(nowMs - sweptAt) < WINDOW_MS) return;
		sweptAt = nowMs;
		for (const [subject, window] of windows)
			if (isOver(window, nowMs)) windows.delete(subject);
	}

	const count = async (subject: string, requests = 1): Promise<RateState> => {
		const nowMs = clock();
		sweep(nowMs);
		let window = windows.get(subject);
		if (!window || isOver(window, nowMs)) {
			window = { used: 0, endsAt: nowMs + WINDOW_MS };
			windows.set(subject, window);
		}
		window.used += requests;
		return toRateState(limit, window.used, window.endsAt - nowMs);
	};
	return Object.assign(count, {
		async forget(subject: string) {
			const window = windows.get(subject);
			if (window) window.used--;
		},
	});
}

/** Sets the `RateLimit-*` headers of an answer. */
export function setRateHeaders(
	{ res: { headers } }: H3Event,
	state: RateState | null,
): void {
	if (!state) return;
	headers.set("RateLimit-Limit", String(state.limit));
	headers.set("RateLimit-Remaining", String(state.remaining));
	headers.set("RateLimit-Reset", String(state.resetS));
}

/** Throws 429 `rate_limit_exceeded` for a key, or an address, that has used up its window. */
export function refuseExceeded(
	state: RateState | null,
	what = "requests",
): void {
	if (!state?.isExceeded) return;
	const { limit, resetS } = state;
	throw new ApiError(
		"rate_limit_exceeded",
		`more than ${limit} ${what} in a minute; try again in ${resetS} s`,
		{ retryAfterS: resetS },
	);
}
