// graphile-worker: as it is by default, or with its local queue and batched completion.
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { serveCalls } from "../kit/child.ts";
import { CONNECTIONS } from "../kit/delivery-load.ts";
import { addInParts, createJobs, toPayloads } from "./jobs.mjs";

const BATCHED = {
	localQueue: { size: 256 },
	completeJobBatchDelay: 10,
	failJobBatchDelay: 10,
};
const TABLE = "graphile_worker._private_jobs";

let jobs;
let pool;
let utils;
let options;

serveCalls({
	async open({ origin, database, isBatched }) {
		jobs = createJobs(origin);
		pool = new pg.Pool({ connectionString: database, max: CONNECTIONS + 4 });
		pool.on("error", console.error);
		pool.on("connect", (client) => client.on("error", console.error));
		utils = await makeWorkerUtils({ pgPool: pool });
		await utils.migrate();
		options = {
			pgPool: pool,
			concurrency: CONNECTIONS,
			noHandleSignals: true,
			// It would log a line for each job.
			logger: new Logger(() => () => {}),
			taskList: { deliver: jobs.deliver },
			preset: { worker: isBatched ? BATCHED : {} },
		};
	},
	async fill(rows) {
		await pool.query(`truncate ${TABLE}`);
		await addInParts(toPayloads(rows), (part) =>
			utils.addJobs(
				part.map((payload) => ({ identifier: "deliver", payload })),
			),
		);
		await pool.query("vacuum analyze");
		await pool.query("checkpoint");
	},
	async drain(rows) {
		const timed = jobs.time(rows, async () => {
			const { rows: left } = await pool.query(`select from ${TABLE} limit 1`);
			return left.length === 0;
		});
		const runner = await run(options);
		const seconds = await timed;
		await runner.stop();
		return seconds;
	},
});
