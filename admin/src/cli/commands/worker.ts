import { defineStrictCommand } from "../define-command.ts";
import { createOutput } from "../output/output.ts";
import { countDroppedLines } from "../output/standard-streams.ts";
import {
	databaseFlags,
	deliveryFlags,
	jsonFlag,
	metricsFlags,
	networkFlags,
	serverFlags,
} from "../settings/flags.ts";
import { readSettings } from "../settings/settings.ts";
import { untilStopped } from "../until-stopped.ts";

/** `partnerwire worker`: delivers without serving the API. Any number of workers may share a database. */
export const worker = defineStrictCommand({
	name: "worker",
	description:
		"Deliver webhooks, without serving the API; any number of these may run",
	examples: [
		"partnerwire worker",
		"partnerwire worker --concurrency 64 --metrics-port 9464",
		"partnerwire worker --alert-url https://ops.example/alerts --alert-secret $SECRET",
	],
	args: {
		...databaseFlags,
		...networkFlags,
		...deliveryFlags,
		"metrics-port": {
			type: "string",
			description:
				"Port to serve /metrics on; 0 takes a free one (default none)",
			valueHint: "port",
		},
		host: { ...serverFlags.host, description: "Address to serve it on" },
		...metricsFlags,
		...jsonFlag,
	},
	async run({ args }) {
		const settings = readSettings(args);
		const stopped = untilStopped();
		const output = createOutput(settings.json);
		const { openFromSettings, serveMetricsAlone } = await import("../start.ts");
		const { describeDatabase } = await import("@partnerwire/core");
		const { createMetrics } = await import("../../metrics/metrics.ts");
		const metrics = createMetrics({ countDroppedLines });
		const service = await openFromSettings(settings, {
			mayCreate: false,
			metrics,
		});
		const { metricsPort } = settings;
		try {
			const serving =
				metricsPort === undefined
					? undefined
					: await serveMetricsAlone(metrics, metricsPort, settings);
			service.startWorker();
			output.say(
				{
					event: "ready",
					pid: process.pid,
					...(serving && { metrics_url: `${serving.url}/metrics` }),
				},
				`Delivering from ${describeDatabase(settings.database)}${serving ? `, metrics at ${serving.url}/metrics` : ""}`,
			);
			await stopped;
			output.tell("Stopping: attempts in flight finish first.");
			await serving?.close();
		} finally {
			await service.close();
		}
	},
});
