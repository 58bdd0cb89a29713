import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineStrictCommand } from "../define-command.ts";
import { addDemoKey } from "../local.ts";
import { createOutput, type Output } from "../output/output.ts";
import { countDroppedLines } from "../output/standard-streams.ts";
import { databaseFlags, jsonFlag, serverFlags } from "../settings/flags.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { untilStopped } from "../until-stopped.ts";

/** `partnerwire demo`: a service and a receiver in one process, and the story of demo/tell-story.ts. */
export const demo = defineStrictCommand({
	name: "demo",
	description:
		"Show the main job: records are created, their events arrive at a receiver, verified",
	examples: ["partnerwire demo", "partnerwire demo --once --port 0"],
	args: {
		once: { type: "boolean", description: "End after the round trip" },
		...serverFlags,
		database: {
			...databaseFlags.database,
			description:
				"Path of the SQLite database, or postgres://… (default one in a temporary folder, removed at the end)",
		},
		...jsonFlag,
	},
	async run({ args }) {
		const stopped = untilStopped();
		const folder = mkdtempSync(join(tmpdir(), "partnerwire-demo-"));
		try {
			const settings = readSettings({
				...args,
				database: args.database ?? join(folder, "demo.db"),
				dev: true,
			});
			await runDemo(settings, args.once === true, stopped);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
});

async function runDemo(
	settings: Settings,
	once: boolean,
	stopped: Promise<void>,
): Promise<void> {
	const output = createOutput(settings.json);
	const { createClient } = await import("@partnerwire/sdk");
	const { openFromSettings, seedIfEmpty, startServing } = await import(
		"../start.ts"
	);
	const { createMetrics } = await import("../../metrics/metrics.ts");
	const { openDemoReceiver } = await import("../demo/demo-receiver.ts");
	const { tellStory } = await import("../demo/tell-story.ts");
	const metrics = createMetrics({ countDroppedLines });
	const service = await openFromSettings(settings, {
		mayCreate: true,
		metrics,
	});
	const open: { close(): Promise<void> }[] = [service];
	try {
		// Serve first: if the port is in use, no key is created and shown.
		const serving = await startServing(service, settings, metrics);
		open.unshift(serving);
		const { url } = serving;
		const seeded = await seedIfEmpty(service, output);
		const apiKey = seeded?.keys.full ?? (await addDemoKey(service));
		output.say({ event: "ready", url, pid: process.pid }, `Serving ${url}`);
		const receiver = await openDemoReceiver();
		open.unshift(receiver);
		await tellStory(createClient({ baseUrl: url, apiKey }), receiver, output);
		if (once) return;
		tellWhatNext(output, url, apiKey);
		await stopped;
	} finally {
		for (const opened of open) await opened.close();
	}
}

function tellWhatNext(output: Output, url: string, apiKey: string): void {
	output.tell(
		[
			"",
			"The service stays up; Ctrl-C ends it. Try:",
			`  curl ${url}/v1/leads -H "Authorization: Bearer ${apiKey}"`,
			`  ${url}/ in a browser: the dashboard, with that API key`,
		].join("\n"),
	);
}
