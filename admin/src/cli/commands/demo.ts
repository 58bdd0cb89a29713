/* `partnerwire demo`: a service and a receiver in one process, and the story of demo/tell-story.ts. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@partnerwire/sdk";
import { defineCommand } from "../define-command.ts";
import type { DemoReceiver } from "../demo/demo-receiver.ts";
import type { Story } from "../demo/tell-story.ts";
import { addDemoKey } from "../local.ts";
import { type Output, paint } from "../output/output.ts";
import { showObservation } from "../output/show-observation.ts";
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
		once: toggle("End after the story"),
		...serverSettings,
		database: option(
			"path|url",
			"Path of the SQLite database, or postgres://… (default one in a temporary folder, removed at the end)",
			readDatabase,
		),
	},
	async run({ flags, output }) {
		const stopped = untilStopped();
		const { database, remove } =
			flags.database === undefined
				? await createDatabasePath()
				: { database: flags.database, remove: undefined };
		const settings = {
			...flags,
			database,
			allowHttp: true,
			allowPrivate: true,
			// The story itself tells of attempts that fail.
			logLevel: "error" as const,
		};
		const { once } = flags;
		const isKept = remove === undefined;
		try {
			await runDemo(settings, { once, isKept, output, stopped });
		} finally {
			remove?.();
		}
	},
});

/** A path in a new temporary folder. */
async function createDatabasePath() {
	const { createTempFolder } = await import(
		"../../assets/create-temp-folder.ts"
	);
	const folder = createTempFolder("partnerwire-demo-");
	return {
		database: join(folder, "demo.db"),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

interface Demo {
	readonly once: boolean;
	/** Whether the database is the user's, which stays. */
	readonly isKept: boolean;
	readonly output: Output;
	readonly stopped: Promise<void>;
}

async function runDemo(settings: Settings, demo: Demo): Promise<void> {
	const { once, isKept, output, stopped } = demo;
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
		const seeded = await seedIfEmpty(
			service,
			// The keys of a database that is removed need no list of their own.
			isKept ? output : { ...output, say: (event) => output.say(event) },
		);
		const apiKey = seeded?.keys.full ?? (await addDemoKey(service));
		output.say(
			{ event: "ready", url, pid: process.pid },
			`Serving ${url}: records change there through the API, and their webhooks arrive at a receiver beside it.`,
		);
		const receiver = await openDemoReceiver();
		open.unshift(receiver);
		const client = createClient({ baseUrl: url, apiKey });
		const onIntegration = (id: string) => {
			// Its receiver ends with the demo, and a kept database would go on trying.
			if (isKept) open.unshift({ close: () => pause(client, id) });
		};
		const story = await Promise.race([
			tellStory({ client, receiver, output, onIntegration }),
			stopped,
		]);
		if (!story || once) return;
		const dashboardUrl = `${settings.publicUrl ?? url}/`;
		tellWhatNext({ ...story, ...demo, url, dashboardUrl, apiKey });
		await showArrivals(receiver, demo);
	} finally {
		for (const opened of open) await opened.close();
	}
}

/** Pauses the integration, unless the service is what has failed. */
async function pause(client: Client, integrationId: string): Promise<void> {
	const params = { integration_id: integrationId };
	const body = { reason: "the demo has ended" };
	await client.pauseIntegration({ params, body }).catch(() => {});
}

/** Shows the events that arrive after the story, until the demo is stopped. */
async function showArrivals(
	receiver: DemoReceiver,
	{ output, stopped }: Demo,
): Promise<void> {
	for (;;) {
		const seen = await Promise.race([receiver.next(), stopped]);
		if (!seen) return;
		const { outcome, claims } = seen;
		output.say({ event: "received", outcome, claims }, showObservation(seen));
	}
}

interface Next extends Demo, Story {
	readonly url: string;
	readonly dashboardUrl: string;
	readonly apiKey: string;
}

function tellWhatNext(next: Next): void {
	const { url, dashboardUrl, apiKey, integrationId, retriedId } = next;
	const commands = [
		[`deliveries show ${retriedId}`, "why it waited, and each attempt"],
		[`integration test ${integrationId}`, "the webhook appears here"],
		["deliveries list", "all of them, newest first"],
	] as const;
	next.output.say(
		{
			event: "next",
			dashboard_url: dashboardUrl,
			api_key: apiKey,
			commands: commands.map(([words]) => `npx partnerwire ${words}`),
		},
		[
			"",
			`The dashboard shows all of this, live:  ${paint.cyan(dashboardUrl)}`,
			`Sign in there with this API key:        ${apiKey}`,
			"",
			"Next, in a second terminal:",
			`  export PARTNERWIRE_URL=${url} PARTNERWIRE_API_KEY=${apiKey}`,
			...commands.flatMap(([words, shows]) => [
				`  npx partnerwire ${words}`,
				`      ${paint.dim(shows)}`,
			]),
			"",
			`Webhooks that arrive now are shown below. Ctrl-C stops the demo${next.isKept ? "; the database stays." : " and removes its database."}`,
		].join("\n"),
	);
}
