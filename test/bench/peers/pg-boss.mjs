// pg-boss: several workers, each of which fetches and completes jobs in batches, as often as it lets them.
import pg from "pg";
import PgBoss from "pg-boss";
import { serveCalls } from "../kit/child.ts";
import { CONNECTIONS } from "../kit/delivery-load.ts";
import { addInParts, createJobs, toPayloads } from "./jobs.mjs";

const QUEUE = "deliver";
const WORKERS = 16;

let jobs;
let pool;
let boss;

serveCalls({
	async open({ origin, database }) {
		jobs = createJobs(origin);
		pool = new pg.Pool({ connectionString: database });
		boss = new PgBoss({ connectionString: database, max: WORKERS });
		boss.on("error", console.error);
		await boss.start();
		await boss.createQueue(QUEUE);
	},
	async fill(rows) {
		await boss.clearStorage();
		await addInParts(toPayloads(rows), (part) =>
			boss.insert(part.map((data) => ({ name: QUEUE, data }))),
		);
		await pool.query("vacuum analyze");
		await pool.query("checkpoint");
	},
	async drain(rows) {
		const timed = jobs.time(rows, async () => {
			const { rows: left } = await pool.query(
				"select from pgboss.job where state < 'completed' limit 1",
			);
			return left.length === 0;
		});
		for (let worker = 0; worker < WORKERS; worker++)
			await boss.work(
				QUEUE,
				{ batchSize: CONNECTIONS, pollingIntervalSeconds: 0.5 },
				(batch) => Promise.all(batch.map(({ data }) => jobs.deliver(data))),
			);
		const seconds = await timed;
		await boss.offWork(QUEUE);
		return seconds;
	},
});
