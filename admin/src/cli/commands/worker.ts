import { defineStrictCommand } from "../define-command.ts";
import {
	databaseFlags,
	deliveryFlags,
	jsonFlag,
	networkFlags,
} from "../flags.ts";
import { createOutput } from "../output.ts";
import { readSettings } from "../settings.ts";
import { openFromSettings } from "../start.ts";
import { untilStopped } from "../until-stopped.ts";

export const worker = defineStrictCommand({
	name: "worker",
	description:
		"Deliver webhooks, without serving the API; any number of these may run",
	args: { ...databaseFlags, ...networkFlags, ...deliveryFlags, ...jsonFlag },
	async run({ args }) {
		const settings = readSettings(args);
		const output = createOutput(settings.json);
		const service = await openFromSettings(settings, { mayCreate: false });
		service.startWorker();
		output.say(
			{ event: "ready", pid: process.pid },
			`Delivering from ${settings.database}`,
		);
		await untilStopped();
		output.tell("Stopping: attempts in flight finish first.");
		await service.close();
	},
});
