import type { DedupStore } from "../../src/dedupe/dedup-store.ts";
import { type ClientName, openStore } from "../helpers/open-store.ts";

/** A message of the parent: a call of the store, and the time of the test clock. */
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
