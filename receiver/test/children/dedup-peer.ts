import type { DedupStore } from "../../src/dedupe/dedup-store.ts";
import { type ClientName, openStore } from "../helpers/open-store.ts";

/** What the parent sends: a call of the store, and what time it is. */
interface Call {
	id: number;
	now: number;
	method: keyof DedupStore;
	args: unknown[];
}

const [client, at = "", space = ""] = process.argv.slice(2);
let now = 0;
const { store } = await openStore({
	client: client as ClientName,
	at,
	space,
	clock: () => now,
});

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
