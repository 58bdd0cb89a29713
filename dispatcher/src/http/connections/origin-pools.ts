import { type Dispatcher, Pool } from "undici";
import { type ConnectorOptions, createConnector } from "./connector.ts";
import {
	type ConnectionUser,
	TrackedClient,
	type TrackedDispatchOptions,
} from "./tracked-client.ts";

/** A request without its origin, in undici's form. */
type OriginRequest = Pick<
	Dispatcher.DispatchOptions,
	"path" | "method" | "headers" | "body"
>;

/** Handles the answer, and learns which connection is used. */
type Handler = Dispatcher.DispatchHandler & ConnectionUser;

/** Copies member by member: with a spread V8 would give each delivery's object a hidden class of its own. */
const toTracked = (
	{ path, method, headers, body }: OriginRequest,
	user: ConnectionUser,
): TrackedDispatchOptions => ({ path, method, headers, body, user });

/** The kept-alive connections to one origin. */
export interface OriginPool {
	/** The number of requests in flight. A pool with any is not evicted. */
	running: number;
	dispatch(request: OriginRequest, handler: Handler): void;
	/** Sends over a new connection, which is closed afterwards. */
	dispatchFresh(request: OriginRequest, handler: Handler): void;
	close(): Promise<void>;
}

function openOriginPool(
	origin: string,
	connections: number,
	connectorOptions: ConnectorOptions,
): OriginPool {
	const connect = createConnector(connectorOptions);
	const pool = new Pool(origin, {
		connections,
		factory: (url) => new TrackedClient(url, connect),
	});
	return {
		running: 0,
		dispatch(request, handler) {
			pool.dispatch(toTracked(request, handler), handler);
		},
		dispatchFresh(request, handler) {
			const client = new TrackedClient(origin, connect);
			const fresh = { ...toTracked(request, handler), reset: true };
			client.dispatch(fresh, handler);
			void client.close();
		},
		close: () => pool.close(),
	};
}

export interface OriginPoolsOptions extends ConnectorOptions {
	readonly connections: number;
	readonly maxOrigins: number;
}

/** Pools by origin. Beyond `maxOrigins` the least recently used idle pool is closed. */
export interface OriginPools {
	take(origin: string): OriginPool;
	close(): Promise<void>;
}

/** Creates the pools of a wire. Each is opened when its origin is first used. */
export function createOriginPools(options: OriginPoolsOptions): OriginPools {
	const pools = new Map<string, OriginPool>();

	const evictIdle = () => {
		for (const [origin, pool] of pools) {
			if (pools.size < options.maxOrigins) return;
			if (pool.running > 0) continue;
			pools.delete(origin);
			void pool.close();
		}
	};

	return {
		take(origin) {
			let pool = pools.get(origin);
			if (pool) {
				// A Map keeps the order of insertion, so the first is the least recently used.
				if (pool.running === 0 && pools.size > 1) {
					pools.delete(origin);
					pools.set(origin, pool);
				}
				return pool;
			}
			evictIdle();
			pool = openOriginPool(origin, options.connections, options);
			pools.set(origin, pool);
			return pool;
		},
		async close() {
			const closing = [...pools.values()].map((pool) => pool.close());
			pools.clear();
			await Promise.all(closing);
		},
	};
}
