import type { Service } from "partnerwire";
import { serveCalls } from "../kit/child.ts";
import { addTenant, openCompany } from "../kit/company.ts";
import { CONNECTIONS } from "../kit/delivery-load.ts";
import { DRAINED_INTEGRATIONS, type DrainCalls } from "../kit/drain-load.ts";
import { fillQueue } from "../kit/on-postgres.ts";

/** Our worker on PostgreSQL. Each integration has a company of its own. */
let service: Service;
let url: string;
let attempts = 0;
let failures = 0;
let expected = 0;
let onAll = () => {};

const calls: DrainCalls = {
	async open({ folder, origin, database }) {
		url = database;
		({ service } = await openCompany(folder, `${origin}/hook`, {
			database,
			concurrency: CONNECTIONS,
			perIntegration: CONNECTIONS,
			onAttempt(_delivery, { delivered }) {
				attempts++;
				if (!delivered) failures++;
				if (attempts === expected) onAll();
			},
		}));
		for (let made = 1; made < DRAINED_INTEGRATIONS; made++)
			await addTenant(service, `${origin}/hook`);
	},
	fill: (rows) => fillQueue(url, { rows, integrations: DRAINED_INTEGRATIONS }),
	async drain(rows) {
		attempts = 0;
		expected = rows;
		const all = new Promise<void>((resolve) => {
			onAll = resolve;
		});
		const startedAt = performance.now();
		const worker = service.startWorker();
		await all;
		await worker.stop();
		if (failures > 0) throw new Error(`${failures} deliveries failed`);
		return (performance.now() - startedAt) / 1000;
	},
};

serveCalls(calls);
