import type { SetUpLink } from "../../dashboard/set-up-link.ts";
import { defineStrictCommand } from "../define-command.ts";
import { createOutput } from "../output/output.ts";
import { countDroppedLines } from "../output/standard-streams.ts";
import {
	databaseFlags,
	deliveryFlags,
	emulatorFlags,
	jsonFlag,
	metricsFlags,
	networkFlags,
	serverFlags,
} from "../settings/flags.ts";
import { readSettings } from "../settings/settings.ts";
import { untilStopped } from "../until-stopped.ts";

const HOW_TO_BEGIN = [
	"The database is empty. Create a company, a user and a key:",
	'  partnerwire company create "My company"',
	"  partnerwire user create --email me@example.com --first-name Ada --last-name Lovelace",
	"  partnerwire key create --label First --read --write",
];

/** The set-up link is a secret as long as the database is empty: it is shown on a terminal only, never in a log. */
const tellHowToBegin = (link: SetUpLink | undefined, url: string): string =>
	[
		...HOW_TO_BEGIN,
		...(link
			? [
					"or open this link, which works once, within an hour:",
					`  ${link.toUrl(url)}`,
				]
			: []),
	].join("\n");

const serveFlags = {
	...serverFlags,
	...databaseFlags,
	...networkFlags,
	...deliveryFlags,
	...metricsFlags,
	demo: {
		type: "boolean",
		description: "Seed an empty database with a company to try",
	},
	worker: {
		type: "boolean",
		description: "Deliver webhooks in this process (the default)",
		negativeDescription:
			"Only serve the API: deliver with `partnerwire worker`",
	},
	...emulatorFlags,
	...jsonFlag,
} as const;

/** `partnerwire serve`: the API, the dashboard and the deliveries, or the emulator (run-emulator.ts). */
export const serve = defineStrictCommand({
	name: "serve",
	description: "Serve the API and deliver webhooks",
	examples: [
		"partnerwire serve --demo --dev",
		"partnerwire serve --port 8080 --public-url https://partnerwire.example",
		"partnerwire serve --no-worker --rate-limit 1000",
		"partnerwire serve --emulator --start-at 2026-12-01T09:00:00Z",
	],
	args: serveFlags,
	async run({ args }) {
		const settings = readSettings({
			...args,
			noWorker: args.worker === false ? true : undefined,
		});
		const output = createOutput(settings.json);
		const stopped = untilStopped();
		if (settings.emulator || settings.seed || settings.startAt) {
			const { runEmulator } = await import("../run-emulator.ts");
			return runEmulator(settings, {
				flags: args,
				known: Object.keys(serveFlags),
				output,
				stopped,
			});
		}
		const { isEmpty } = await import("@partnerwire/core");
		const { openFromSettings, seedIfEmpty, startServing } = await import(
			"../start.ts"
		);
		const { createSetUpLink } = await import("../../dashboard/set-up-link.ts");
		const { createMetrics } = await import("../../metrics/metrics.ts");
		const metrics = createMetrics({ countDroppedLines });
		const isForPerson = process.stdout.isTTY && !settings.json;
		const link = isForPerson ? createSetUpLink(() => Date.now()) : undefined;
		const service = await openFromSettings(settings, {
			mayCreate: true,
			metrics,
		});
		try {
			// Serve first: if the port is in use, no key is created and shown.
			const { url, close } = await startServing(
				service,
				settings,
				metrics,
				link,
			);
			try {
				if (settings.demo) await seedIfEmpty(service, output);
				else if (await isEmpty(service.store.read))
					output.tell(tellHowToBegin(link, settings.publicUrl ?? url));
				output.say({ event: "ready", url, pid: process.pid }, `Serving ${url}`);
				await stopped;
				output.tell("Stopping: attempts in flight finish first.");
			} finally {
				await close();
			}
		} finally {
			await service.close();
		}
	},
});
