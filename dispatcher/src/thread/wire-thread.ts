import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createWire } from "../wire.ts";
import type { Answer, Numbered, Order, Outcome } from "./messages.ts";
import { together } from "./together.ts";

// The program of a threaded wire's thread.
const port = parentPort as MessagePort;
const wire = createWire(workerData);
const answer = (what: Answer) => port.postMessage(what);
const outcomes = together<Outcome>(answer);

async function attempt({ id, request }: Numbered): Promise<void> {
	try {
		outcomes.add({ id, result: await wire.attempt(request) });
	} catch (error) {
		outcomes.add({ id, error });
	}
}

async function close(graceMs: number | undefined): Promise<void> {
	await wire.close(graceMs === undefined ? {} : { graceMs });
	outcomes.flush();
	answer("closed");
}

port.on("message", (order: Order) => {
	if (order.kind === "close") void close(order.graceMs);
	else for (const one of order.attempts) void attempt(one);
});
