import { join } from "node:path";
import { expect, test } from "vitest";
import { startDemoService } from "../kit/program/demo-service.ts";
import { startPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("serve and worker answer their metrics, each with its own workers and the same queue", async () => {
	const folder = createTempFolder();
	const { url, client } = await startDemoService(folder, {
		args: ["--no-worker"],
	});
	await client.createIntegration({
		body: { label: "CRM", webhook_url: "http://127.0.0.1:9/hook" },
	});
	const worker = startPartnerwire([
		...["worker", "--json", "--metrics-port", "0"],
		...["--database", join(folder, "test.db")],
	]);
	const { metrics_url } = await worker.line("ready");
	const read = async (from: unknown) => (await fetch(String(from))).text();
	const ofServe = await read(`${url}/metrics`);
	const ofWorker = await read(metrics_url);
	for (const text of [ofServe, ofWorker])
		expect(text).toMatch(/^partnerwire_integrations\{status="active"\} 1$/m);
	expect(ofServe).toMatch(/^partnerwire_worker_concurrency 0$/m);
	expect(ofWorker).toMatch(/^partnerwire_worker_concurrency [1-9]\d*$/m);
	expect(await worker.stop()).toBe(0);
});
