import { ApiError } from "@partnerwire/contract";
import type { H3Event } from "h3";

/** The length of a window (decisions §1). */
export const WINDOW_MS = 60_000;

export interface RateState {
	readonly limit: number;
	readonly remaining: number;
	/** Whole seconds until the window ends. */
	readonly resetS: number;
	readonly isExceeded: boolean;
}

/** Counts one request of a key, or of an address. */
export interface RateLimit {
	(of: string): Promise<RateState | null>;
	/** Takes back one that was counted. */
	forget(of: string): Promise<unknown>;
}

/** Counts nothing. */
export const NO_LIMIT: RateLimit = Object.assign(async () => null, {
	forget: async () => {},
});

/** What is told of a window in which so many were used, and which ends after so many milliseconds. */
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

/** Makes the limit of what is counted, apart from all else that is; 0 switches it off. */
export type CreateLimit = (
	counted: "request" | "failure" | "sign-in",
	limit: number,
) => RateLimit;

interface Window {
	readonly endsAt: number;
	used: number;
}

/**
 * A window of 60 s that starts with the key's first request (decisions §1), in memory of the process. A limit of 0 switches it
 * off. Our own lines instead of rate-limiter-flexible's memory, whose windows follow the system's clock and its timers alone.
 */
export function createRateLimit(
	limit: number,
	clock: () => number = () => Date.now(),
): RateLimit {
	if (limit === 0) return NO_LIMIT;
	const windows = new Map<string, Window>();
	let sweptAt = clock();

	/** A clock that was set back would leave a window open for longer than it is long. */
	const isOver = ({ endsAt }: Window, nowMs: number) =>
		endsAt <= nowMs || endsAt > nowMs + WINDOW_MS;

	/** Once a window, so that keys which never come again cost nothing for long. */
	function sweep(nowMs: number): void {
		if (Math.abs(nowMs - sweptAt) < WINDOW_MS) return;
		sweptAt = nowMs;
		for (const [of, window] of windows)
			if (isOver(window, nowMs)) windows.delete(of);
	}

	const count = async (of: string): Promise<RateState> => {
		const nowMs = clock();
		sweep(nowMs);
		let window = windows.get(of);
		if (!window || isOver(window, nowMs)) {
			window = { used: 0, endsAt: nowMs + WINDOW_MS };
			windows.set(of, window);
		}
		window.used++;
		return toRateState(limit, window.used, window.endsAt - nowMs);
	};
	return Object.assign(count, {
		async forget(of: string) {
			const window = windows.get(of);
			if (window) window.used--;
		},
	});
}

/** Puts the headers on an answer that say how much of the window is left. */
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
