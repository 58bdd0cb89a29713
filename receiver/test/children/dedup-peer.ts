import Database from "better-sqlite3";
import type { DedupStore } from "../../src/dedup-store.ts";
import { sqliteStore } from "../../src/sqlite.ts";

/** What the parent sends: a call of the store, and what time it is. */
interface Call {
	id: number;
	now: number;
	method: keyof DedupStore;
	args: unknown[];
}

let now = 0;
const client = new Database(process.argv[2]);
client.pragma("busy_timeout = 0");
const store = sqliteStore(client, { clock: () => now });

process.on("message", async (call: Call) => {
	now = call.now;
	const method = store[call.method] as (...args: unknown[]) => unknown;
	try {
		process.send?.({ id: call.id, result: await method(...call.args) });
	} catch (error) {
		process.send?.({ id: call.id, error: String(error) });
	}
});
process.send?.("ready");
