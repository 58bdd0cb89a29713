import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@partnerwire/sdk";
import { openDemoReceiver } from "../../demo/demo-receiver.ts";
import { tellStory } from "../../demo/tell-story.ts";
import { defineStrictCommand } from "../define-command.ts";
import { databaseFlags, jsonFlag, serverFlags } from "../flags.ts";
import { addDemoKey } from "../local.ts";
import { createOutput, type Output } from "../output.ts";
import { readSettings } from "../settings.ts";
import { openFromSettings, seedIfEmpty, startServing } from "../start.ts";
import { untilStopped } from "../until-stopped.ts";

export const demo = defineStrictCommand({
	name: "demo",
	description:
		"Show the main job: records are created, their events arrive at a receiver, verified",
	args: {
		once: { type: "boolean", description: "End after the round trip" },
		...serverFlags,
		...databaseFlags,
		...jsonFlag,
	},
	async run({ args }) {
		const folder = mkdtempSync(join(tmpdir(), "partnerwire-demo-"));
		const settings = readSettings({
			...args,
			database: args.database ?? join(folder, "demo.db"),
			dev: true,
		});
		const output = createOutput(settings.json);
		const service = await openFromSettings(settings);
		try {
			const seeded = await seedIfEmpty(service, output);
			const apiKey = seeded?.keys.full ?? (await addDemoKey(service));
			const { url, close } = await startServing(service, settings);
			output.say({ event: "ready", url, pid: process.pid }, `Serving ${url}`);
			const receiver = await openDemoReceiver();
			try {
				await tellStory(
					createClient({ baseUrl: url, apiKey }),
					receiver,
					output,
				);
				if (!args.once) {
					tellWhatNext(output, url, apiKey);
					await untilStopped();
				}
			} finally {
				await receiver.close();
				await close();
			}
		} finally {
			await service.close();
			rmSync(folder, { recursive: true, force: true });
		}
	},
});

function tellWhatNext(output: Output, url: string, apiKey: string): void {
	output.tell(
		[
			"",
			"The service stays up; Ctrl-C ends it. Try:",
			`  curl ${url}/v1/leads -H "Authorization: Bearer ${apiKey}"`,
		].join("\n"),
	);
}
