import { ApiError } from "@partnerwire/contract";
import type { H3Event } from "h3";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

const WINDOW_S = 60;

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

/** A window of 60 s that starts with the key's first request (decisions §1). A limit of 0 switches it off. */
export function createRateLimit(limit: number): RateLimit {
	if (limit === 0)
		return Object.assign(async () => null, { forget: async () => {} });
	const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_S });
	const count = async (of: string) => {
		try {
			return toState(limit, await limiter.consume(of), false);
		} catch (refused) {
			if (!(refused instanceof RateLimiterRes)) throw refused;
			return toState(limit, refused, true);
		}
	};
	return Object.assign(count, { forget: (of: string) => limiter.reward(of) });
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

const toState = (
	limit: number,
	{ remainingPoints, msBeforeNext }: RateLimiterRes,
	isExceeded: boolean,
): RateState => ({
	limit,
	remaining: Math.max(0, remainingPoints),
	resetS: Math.max(1, Math.ceil(msBeforeNext / 1000)),
	isExceeded,
});
