import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { createWire } from "../http/wire.ts";
import { openProbe } from "../probe/probe.ts";
import { createBatcher } from "./batcher.ts";
import type { Answer, Job, Numbered, Order, Outcome } from "./messages.ts";

// The program of a threaded wire's thread: takes jobs, and answers with their outcomes.
const port = parentPort as MessagePort;
const wire = createWire(workerData);
const probe = openProbe(workerData);
const answer = (message: Answer) => port.postMessage(message);
const outcomes = createBatcher<Outcome>(answer);

const run = (job: Job) =>
	"look" in job ? probe.look(job.look) : wire.attempt(job.request);

async function answerTo({ id, job }: Numbered): Promise<void> {
	try {
		outcomes.add({ id, result: await run(job) });
	} catch (error) {
		outcomes.add({ id, error });
	}
}

async function close(graceMs: number | undefined): Promise<void> {
	probe.close();
	await wire.close(graceMs === undefined ? {} : { graceMs });
	outcomes.flush();
	answer("closed");
}

port.on("message", (order: Order) => {
	if (order.kind === "close") void close(order.graceMs);
	else for (const job of order.jobs) void answerTo(job);
});
