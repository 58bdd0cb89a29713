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

/** Creates the limits of a process. Several processes may share the store. */
export interface RateStore {
	readonly createLimit: CreateLimit;
	close(): Promise<void>;
}

const WINDOW_S = WINDOW_MS / 1000;

/** Called when the store fails: once, until it works again. */
type OnAway = (error: unknown) => void;

/** Reports the first failure of a store, and the first one after it has worked again. */
function createReport(onAway: OnAway) {
	let isAway = false;
	return {
		failed(error: unknown): void {
			if (!isAway) onAway(error);
			isAway = true;
		},
		works(): void {
			isAway = false;
		},
	};
}

/** Opens a store that counts for all processes together. */
export async function openRateStore(
	store: string,
	onAway: OnAway = () => {},
): Promise<RateStore> {
	return /^redis/i.test(store)
		? openRedis(store, onAway)
		: openPostgres(store, onAway);
}

async function openRedis(url: string, onAway: OnAway): Promise<RateStore> {
	const { Redis } = await import("ioredis");
	// ioredis takes `REDISS://` for a connection without TLS.
	const client = new Redis(
		url.replace(/^rediss?/i, (scheme) => scheme.toLowerCase()),
		{
			// Counting must not delay a request. If Redis does not answer in time, this process counts for itself.
			commandTimeout: 1000,
			maxRetriesPerRequest: 1,
			enableOfflineQueue: false,
			lazyConnect: true,
		},
	);
	const report = createReport(onAway);
	client.on("error", report.failed);
	client.on("ready", report.works);
	// A Redis that is not up yet is used as soon as it is.
	await client.connect().catch(report.failed);
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
	const report = createReport(onAway);
	async function query(statement: Parameters<typeof table.query>[0]) {
		try {
			const answer = await table.query(statement);
			report.works();
			return answer;
		} catch (error) {
			report.failed(error);
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

/** Consumes requests. The store rejects with a result if the limit is exceeded. */
async function consume(
	limiter: RateLimiterAbstract,
	subject: string,
	requests: number,
): Promise<RateLimiterRes> {
	try {
		return await limiter.consume(subject, requests);
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
	// If the store fails, the process counts for itself.
	const limiter = create(
		new RateLimiterMemory({ points: limit, duration: WINDOW_S }),
	);
	const count = async (subject: string, requests = 1) => {
		const { consumedPoints, msBeforeNext } = await consume(
			limiter,
			subject,
			requests,
		);
		return toRateState(limit, consumedPoints, msBeforeNext);
	};
	return Object.assign(count, {
		forget: (subject: string) => limiter.reward(subject),
	});
}
