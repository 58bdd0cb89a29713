import { openRateTable } from "@partnerwire/core";
import {
	type RateLimiterAbstract,
	RateLimiterMemory,
	RateLimiterPostgres,
	RateLimiterRedis,
	type RateLimiterRes,
} from "rate-limiter-flexible";
import {
	type CreateLimit,
	NO_LIMIT,
	type RateLimit,
	toRateState,
	WINDOW_MS,
} from "./rate-limit.ts";

/** Makes the limits of a process, in a store that all of them share. */
export interface RateStore {
	readonly createLimit: CreateLimit;
	close(): Promise<void>;
}

const WINDOW_S = WINDOW_MS / 1000;

/** Told why a store cannot be used, once until it can be again. */
type OnAway = (error: unknown) => void;

/** Opens what counts for all processes together; null for the memory of each. */
export async function openRateStore(
	store: string,
	onAway: OnAway = () => {},
): Promise<RateStore | null> {
	if (store === "memory") return null;
	return /^redis/i.test(store)
		? openRedis(store, onAway)
		: openPostgres(store, onAway);
}

async function openRedis(url: string, onAway: OnAway): Promise<RateStore> {
	const { Redis } = await import("ioredis");
	const client = new Redis(url, {
		// Counting must not hold a request up: without an answer each process counts for itself.
		commandTimeout: 1000,
		maxRetriesPerRequest: 1,
		enableOfflineQueue: false,
		lazyConnect: true,
	});
	let isAway = false;
	const tellOnce = (error: unknown) => {
		if (!isAway) onAway(error);
		isAway = true;
	};
	client.on("error", tellOnce);
	client.on("ready", () => {
		isAway = false;
	});
	// A Redis that is not there yet is used once it is.
	await client.connect().catch(tellOnce);
	return {
		createLimit: (counted, limit) =>
			toRateLimit(
				limit,
				(insuranceLimiter) =>
					new RateLimiterRedis({
						storeClient: client,
						keyPrefix: `partnerwire:${counted}`,
						points: limit,
						duration: WINDOW_S,
						insuranceLimiter,
					}),
			),
		async close() {
			client.disconnect();
		},
	};
}

async function openPostgres(url: string, onAway: OnAway): Promise<RateStore> {
	const table = await openRateTable(url);
	let isAway = false;
	async function query(statement: Parameters<typeof table.query>[0]) {
		try {
			const answer = await table.query(statement);
			isAway = false;
			return answer;
		} catch (error) {
			if (!isAway) onAway(error);
			isAway = true;
			throw error;
		}
	}
	return {
		createLimit: (counted, limit) =>
			toRateLimit(
				limit,
				(insuranceLimiter) =>
					new RateLimiterPostgres({
						storeClient: { query },
						storeType: "pool",
						tableName: table.name,
						tableCreated: true,
						keyPrefix: counted,
						points: limit,
						duration: WINDOW_S,
						insuranceLimiter,
					}),
			),
		close: () => table.close(),
	};
}

/** The limit of a store, whose own word for "exceeded" is a rejection; 0 switches it off. */
async function consume(
	limiter: RateLimiterAbstract,
	of: string,
): Promise<RateLimiterRes> {
	try {
		return await limiter.consume(of);
	} catch (refusal) {
		if (refusal instanceof Error) throw refusal;
		return refusal as RateLimiterRes;
	}
}

function toRateLimit(
	limit: number,
	create: (insurance: RateLimiterAbstract) => RateLimiterAbstract,
): RateLimit {
	if (limit === 0) return NO_LIMIT;
	// Without its store each process counts for itself, rather than not at all.
	const limiter = create(
		new RateLimiterMemory({ points: limit, duration: WINDOW_S }),
	);
	const count = async (of: string) => {
		const { consumedPoints, msBeforeNext } = await consume(limiter, of);
		return toRateState(limit, consumedPoints, msBeforeNext);
	};
	return Object.assign(count, { forget: (of: string) => limiter.reward(of) });
}
