import { setTimeout as wait } from "node:timers/promises";
import { createReceiver } from "@partnerwire/receiver";
import { defineStrictCommand } from "../define-command.ts";
import { jsonFlag } from "../flags.ts";
import { createOutput, paint } from "../output.ts";
import { readSettings } from "../settings.ts";
import { showObservation } from "../show-observation.ts";
import { toCount } from "../to-count.ts";
import { untilStopped } from "../until-stopped.ts";

const DEFAULT_PORT = "4400";
const PATH = "/hook";
/** Beyond the delay that was asked for, so that the receiver's own deadline does not answer first. */
const DEADLINE_MARGIN_MS = 9_000;

export const listen = defineStrictCommand({
	name: "listen",
	description: "Receive webhooks here: verify each and show what arrived",
	args: {
		secret: {
			type: "string",
			description: "The integration's signing secret",
			required: true,
			valueHint: "uuid",
		},
		port: {
			type: "string",
			description: "Port to listen on; 0 takes a free one (default 4400)",
			valueHint: "port",
		},
		forward: {
			type: "string",
			description: "Send what was verified on to this URL",
			valueHint: "url",
		},
		fail: {
			type: "string",
			description: "Answer the first N events with 500",
			valueHint: "n",
		},
		delay: {
			type: "string",
			description: "Wait before each answer",
			valueHint: "ms",
		},
		status: {
			type: "string",
			description: "Answer verified events with this status, from 200 to 599",
			valueHint: "n",
		},
		https: {
			type: "boolean",
			description: "Serve HTTPS with a self-signed certificate",
		},
		...jsonFlag,
	},
	async run({ args }) {
		const { port, json } = readSettings({
			...args,
			port: args.port ?? DEFAULT_PORT,
		});
		const output = createOutput(json);
		const delayMs = toCount(args.delay ?? "0", "--delay", 0, 60_000);
		const status =
			args.status === undefined
				? undefined
				: toCount(args.status, "--status", 200, 599);
		let failuresLeft = toCount(args.fail ?? "0", "--fail", 0, 1_000_000);

		const receiver = createReceiver({
			secret: args.secret,
			explain: true,
			deadlineMs: delayMs + DEADLINE_MARGIN_MS,
			// What is forwarded is judged by its receiver, duplicates included.
			...(args.forward && { dedup: false as const }),
			onVerdict: (seen) =>
				output.say({ event: "received", ...seen }, showObservation(seen)),
			onError: () => {},
			log: (message) => process.stderr.write(`${message}\n`),
		}).on("*", async () => {
			if (delayMs > 0) await wait(delayMs);
			if (failuresLeft-- > 0) throw new Error("asked to fail by --fail");
		});
		const { toNodeHandler } = await import("h3");
		const { createHookApp } = await import("../../service/hook-app.ts");
		const { openDevListener } = await import("../../service/dev-listener.ts");
		const app = createHookApp(receiver, {
			status,
			forward: args.forward,
			onForward: (answer) =>
				output.say(
					{ event: "forwarded", ...answer },
					`  forwarded: ${answer.status ?? answer.error}`,
				),
		});
		const listener = await openDevListener(toNodeHandler(app), {
			name: "Partnerwire listen",
			port,
			path: PATH,
			https: args.https ?? false,
		});
		const url = new URL(PATH, listener.url).href;
		output.say(
			{ event: "ready", url, pid: process.pid },
			`Listening at ${paint.cyan(url)}`,
		);
		await untilStopped();
		await listener.close();
	},
});
