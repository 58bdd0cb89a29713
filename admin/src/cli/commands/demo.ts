/* `partnerwire demo`: a service and a receiver in one process, and the story of demo/tell-story.ts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCommand } from "../define-command.ts";
import { addDemoKey } from "../local.ts";
import type { Output } from "../output/output.ts";
import { countDroppedLines } from "../output/standard-streams.ts";
import { option, toggle } from "../settings/flag.ts";
import { readDatabase } from "../settings/read-database.ts";
import { type Settings, serverSettings } from "../settings/settings.ts";
import { untilStopped } from "../until-stopped.ts";

export const demo = defineCommand({
	name: "demo",
	description:
		"Show the main job: records are created, their events arrive at a receiver, verified",
	examples: ["partnerwire demo", "partnerwire demo --once --port 0"],
	flags: {
		once: toggle("End after the round trip"),
		...serverSettings,
		database: option(
			"path|url",
			"Path of the SQLite database, or postgres://… (default one in a temporary folder, removed at the end)",
			readDatabase,
		),
	},
	async run({ flags, output }) {
		const stopped = untilStopped();
		const folder = mkdtempSync(join(tmpdir(), "partnerwire-demo-"));
		const settings = {
			...flags,
			database: flags.database ?? join(folder, "demo.db"),
			allowHttp: true,
			allowPrivate: true,
		};
		try {
			await runDemo(settings, output, flags.once, stopped);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	},
});

async function runDemo(
	settings: Settings,
	output: Output,
	once: boolean,
	stopped: Promise<void>,
): Promise<void> {
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
