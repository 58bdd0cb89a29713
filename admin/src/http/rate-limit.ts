import { ApiError } from "@partnerwire/contract";
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
export type RateLimit = (of: string) => Promise<RateState | null>;

/** A window of 60 s that starts with the key's first request (decisions §1). A limit of 0 switches it off. */
export function createRateLimit(limit: number): RateLimit {
	if (limit === 0) return async () => null;
	const limiter = new RateLimiterMemory({ points: limit, duration: WINDOW_S });
	return async (of) => {
		try {
			return toState(limit, await limiter.consume(of), false);
		} catch (refused) {
			if (!(refused instanceof RateLimiterRes)) throw refused;
			return toState(limit, refused, true);
		}
	};
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
