import type { DedupStore } from "../../src/dedupe/dedup-store.ts";
import { postgresStore } from "../../src/stores/postgres.ts";
import { redisStore } from "../../src/stores/redis.ts";
import { sqliteStore } from "../../src/stores/sqlite.ts";

/** The clients that our stores accept. */
export const CLIENTS = [
	"better-sqlite3",
	"ioredis",
	"node-redis",
	"pg",
	"postgres.js",
] as const;
export type ClientName = (typeof CLIENTS)[number];

/** The place of the records: a file or a URL. `space` separates tests that share a server. */
export interface Place {
	client: ClientName;
	at: string;
	space: string;
	/** Without it, the store's own clock. */
	clock: (() => number) | undefined;
}

export interface OpenedStore {
	store: DedupStore;
	close(): Promise<void>;
}

const ignore = () => {};

/** Opens a store over a new client. Its driver is loaded only then. Errors of idle connections are ignored: the tests cause them. */
export async function openStore(place: Place): Promise<OpenedStore> {
	const { at, space } = place;
	const clock = place.clock && { clock: place.clock };
	switch (place.client) {
		case "better-sqlite3": {
			const { default: Database } = await import("better-sqlite3");
			const client = new Database(at);
			client.pragma("journal_mode = WAL");
			client.pragma("busy_timeout = 0");
			return {
				store: sqliteStore(client, clock),
				close: async () => void client.close(),
			};
		}
		case "ioredis": {
			const { Redis } = await import("ioredis");
			const client = new Redis(at).on("error", ignore);
			return {
				store: redisStore(client, { prefix: space, ...clock }),
				close: async () => client.disconnect(),
			};
		}
		case "node-redis": {
			const { createClient } = await import("redis");
			const client = createClient({ url: at }).on("error", ignore);
			await client.connect();
			return {
				store: redisStore(client, { prefix: space, ...clock }),
				close: async () => client.destroy(),
			};
		}
		case "pg": {
			const { default: pg } = await import("pg");
			const client = new pg.Pool({ connectionString: at }).on("error", ignore);
			return {
				store: postgresStore(client, { table: space, ...clock }),
				close: () => client.end(),
			};
		}
		case "postgres.js": {
			const { default: postgres } = await import("postgres");
			const client = postgres(at, { onnotice: ignore });
			return {
				store: postgresStore(client, { table: space, ...clock }),
				close: () => client.end({ timeout: 1 }),
			};
		}
	}
}
