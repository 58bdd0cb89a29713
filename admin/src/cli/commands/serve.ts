/* `partnerwire serve`: the API, the dashboard and the deliveries, or the emulator (run-emulator.ts). */
import type { SetUpLink } from "../../dashboard/set-up-link.ts";
import { defineCommand } from "../define-command.ts";
import { countDroppedLines } from "../output/standard-streams.ts";
import { toggle } from "../settings/flag.ts";
import {
	databaseSettings,
	deliverySettings,
	emulatorSettings,
	networkSettings,
	SETTING_NAMES,
	SETTINGS,
	serverSettings,
} from "../settings/settings.ts";
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
	...serverSettings,
	...databaseSettings,
	...networkSettings,
	...deliverySettings,
	metricsToken: SETTINGS.metricsToken,
	demo: SETTINGS.demo,
	worker: toggle(
		"Deliver webhooks in this process (the default)",
		SETTINGS.noWorker.description,
	),
	...emulatorSettings,
};

export const serve = defineCommand({
	name: "serve",
	description: "Serve the API and deliver webhooks",
	examples: [
		"partnerwire serve --demo --dev",
		"partnerwire serve --port 8080 --public-url https://partnerwire.example",
		"partnerwire serve --no-worker --rate-limit 1000",
		"partnerwire serve --emulator --start-at 2026-12-01T09:00:00Z",
	],
	flags: serveFlags,
	async run({ flags, output, given }) {
		const settings = { ...flags, noWorker: flags.noWorker || !flags.worker };
		const stopped = untilStopped();
		if (settings.emulator || settings.seed || settings.startAt) {
			const { runEmulator } = await import("../run-emulator.ts");
			return runEmulator(settings, {
				given,
				known: SETTING_NAMES.filter((name) => name in serveFlags),
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
			readsReplica: true,
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
