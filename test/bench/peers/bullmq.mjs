// BullMQ on Redis, which writes every command to disk before it answers.
import { Queue, Worker } from "bullmq";
import { serveCalls } from "../kit/child.ts";
import { CONNECTIONS } from "../kit/delivery-load.ts";
import { addInParts, createJobs, toPayloads } from "./jobs.mjs";

const QUEUE = "deliver";

let jobs;
let queue;
let connection;

serveCalls({
	async open({ origin, database }) {
		jobs = createJobs(origin);
		connection = { url: database };
		queue = new Queue(QUEUE, { connection });
	},
	async fill(rows) {
		await queue.obliterate({ force: true });
		await addInParts(toPayloads(rows), (part) =>
			queue.addBulk(
				part.map((data) => ({
					name: QUEUE,
					data,
					opts: { removeOnComplete: true },
				})),
			),
		);
	},
	async drain(rows) {
		let completed = 0;
		const timed = jobs.time(rows, () => completed === rows);
		const worker = new Worker(QUEUE, ({ data }) => jobs.deliver(data), {
			connection,
			concurrency: CONNECTIONS,
		});
		worker.on("completed", () => {
			completed++;
		});
		worker.on("error", console.error);
		const seconds = await timed;
		await worker.close();
		return seconds;
	},
});
