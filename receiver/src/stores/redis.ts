import { ReceiverConfigError } from "../common/config-error.ts";
import type { DedupStore, Ticket } from "../dedupe/dedup-store.ts";
import { CLAIM, COMMIT, FORGET, RELEASE } from "./redis-scripts.ts";
import { surviveErrors } from "./survive-errors.ts";

/** Your own ioredis client: a `Redis` or a `Cluster`. */
export interface IoredisLike {
	call(command: string): PromiseLike<unknown>;
	eval(
		script: string,
		numberOfKeys: number,
		...keysAndArguments: string[]
	): PromiseLike<unknown>;
}

/** Your own node-redis client, pool or cluster: the result of `createClient` of `redis`. */
export interface NodeRedisLike {
	eval(
		script: string,
		options: { keys: string[]; arguments: string[] },
	): PromiseLike<unknown>;
}

/** The options of `redisStore`. */
export interface RedisStoreOptions {
	/** The start of all keys, put in braces: `{partnerwire:dedup}:…`. Receivers with the same prefix share their records. */
	prefix?: string;
	/** For tests: milliseconds since the epoch, instead of the server's own clock. */
	clock?: () => number;
	createFence?: () => string;
}

type Run = (script: string, args: string[]) => Promise<unknown>;

function toRun(client: IoredisLike | NodeRedisLike, key: string): Run {
	if (typeof client?.eval !== "function")
		throw new ReceiverConfigError(
			"CONFIG_STORE",
			"redisStore: give it the client of ioredis or of redis (node-redis).",
		);
	if ("call" in client)
		return async (script, args) => client.eval(script, 1, key, ...args);
	// ioredis needs no listener.
	surviveErrors(client);
	return async (script, args) =>
		client.eval(script, { keys: [key], arguments: args });
}

/**
 * Recognises duplicates in Redis (5 or later), for all processes that use the same server and prefix, by the server's clock. Run Redis
 * with `appendonly yes` and `maxmemory-policy noeviction`: it forgets records that are not on disk or that it evicts.
 *
 * @example
 * createReceiver({ secret, dedup: redisStore(new Redis(process.env.REDIS_URL)) });
 */
export function redisStore(
	client: IoredisLike | NodeRedisLike,
	options: RedisStoreOptions = {},
): DedupStore {
	const o = {
		prefix: "partnerwire:dedup",
		createFence: () => crypto.randomUUID() as string,
		...options,
	};
	if (typeof o.prefix !== "string" || !/^[\w:.-]{1,100}$/.test(o.prefix))
		throw new ReceiverConfigError(
			"CONFIG_STORE",
			"redisStore: prefix must be 1 to 100 letters, digits, underscores, colons, dots and hyphens.",
		);
	const run = toRun(client, `{${o.prefix}}`);
	const now = () => (o.clock ? String(o.clock()) : "");
	// PEXPIRE takes whole milliseconds only.
	const toMs = (ms: number) => String(Math.ceil(ms));
	const toHeld = ({ fingerprint, deliveryId, fence }: Ticket) => [
		now(),
		fingerprint,
		deliveryId ?? "",
		fence,
	];

	return {
		async claim(request) {
			const { fingerprint, deliveryId } = request;
			const ticket = { fingerprint, deliveryId, fence: o.createFence() };
			const [state, conflict, stale] = (await run(CLAIM, [
				...toHeld(ticket),
				request.entityId ?? "",
				String(request.sequence ?? ""),
				request.supersedes ? "1" : "0",
				toMs(request.leaseMs),
			])) as [unknown, unknown, unknown];
			if (String(state) !== "claimed")
				return { state: String(state) as "done" | "running" };
			return {
				state: "claimed",
				ticket,
				conflict: Number(conflict) === 1,
				stale: Number(stale) === 1,
			};
		},
		commit: async (ticket, ttlMs) =>
			Number(await run(COMMIT, [...toHeld(ticket), toMs(ttlMs)])) === 1,
		release: async (ticket) => Number(await run(RELEASE, toHeld(ticket))) === 1,
		forget: async (fingerprint) =>
			Number(await run(FORGET, [now(), fingerprint, ""])),
	};
}
