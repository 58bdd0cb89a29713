/* `partnerwire worker`: delivers without serving the API. Any number of workers may share a database. */
import { defineCommand } from "../define-command.ts";
import { countDroppedLines } from "../output/standard-streams.ts";
import {
	databaseSettings,
	deliverySettings,
	networkSettings,
	SETTINGS,
} from "../settings/settings.ts";
import { untilStopped } from "../until-stopped.ts";

export const worker = defineCommand({
	name: "worker",
	description:
		"Deliver webhooks, without serving the API; any number of these may run",
	examples: [
		"partnerwire worker",
		"partnerwire worker --concurrency 64 --metrics-port 9464",
		"partnerwire worker --alert-url https://ops.example/alerts --alert-secret $PARTNERWIRE_ALERT_SECRET",
	],
	flags: {
		...databaseSettings,
		...networkSettings,
		...deliverySettings,
		metricsPort: SETTINGS.metricsPort,
		host: { ...SETTINGS.host, description: "Address to serve it on" },
		metricsToken: SETTINGS.metricsToken,
	},
	async run({ flags, output }) {
		const { database, metricsPort } = flags;
		const stopped = untilStopped();
		const { openFromSettings, serveMetricsAlone } = await import("../start.ts");
		const { describeDatabase } = await import("@partnerwire/core");
		const { createMetrics } = await import("../../metrics/metrics.ts");
		const metrics = createMetrics({ countDroppedLines });
		const service = await openFromSettings(flags, {
			mayCreate: false,
			metrics,
		});
		try {
			const serving =
				metricsPort === undefined
					? undefined
					: await serveMetricsAlone(metrics, metricsPort, flags);
			service.startWorker();
			output.say(
				{
					event: "ready",
					pid: process.pid,
					...(serving && { metrics_url: `${serving.url}/metrics` }),
				},
				`Delivering from ${describeDatabase(database)}${serving ? `, metrics at ${serving.url}/metrics` : ""}`,
			);
			await stopped;
			output.tell("Stopping: attempts in flight finish first.");
			await serving?.close();
		} finally {
			await service.close();
		}
	},
});
