/* `partnerwire listen`: a receiver for local work, with a live view. It needs no service. */
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { createReceiver } from "@partnerwire/receiver";
import { defineCommand } from "../define-command.ts";
import { describeFault } from "../describe-fault.ts";
import { type Arrival, createArrivals } from "../listen/arrivals.ts";
import { readCommands, TYPED } from "../listen/read-commands.ts";
import { showArrival, showForward } from "../listen/show-arrival.ts";
import { paint, printable } from "../output/output.ts";
import { writeError } from "../output/standard-streams.ts";
import { type Flag, option, toggle } from "../settings/flag.ts";
import { requireSecret } from "../settings/read-flags.ts";
import { integer, serviceUrl } from "../settings/readers.ts";
import { SETTINGS } from "../settings/settings.ts";
import { untilStopped } from "../until-stopped.ts";
import { UsageError } from "../usage-error.ts";

const PATH = "/hook";
/** Added to the requested delay, so that the receiver's own deadline does not answer first. */
const DEADLINE_MARGIN_MS = 9_000;
const ASKED_FOR = new Error("asked to fail by --fail");

/** Without it, standard input is read if it is a terminal. */
const interactive: Flag<boolean | undefined> = {
	...toggle(
		"Read the numbers of events to send again from standard input, also where it is no terminal",
	),
	fallback: undefined,
};

export const listen = defineCommand({
	name: "listen",
	description:
		"Receive webhooks here: verify each and show what arrived, live. On a terminal, type a number and Enter to send that event again",
	examples: [
		"partnerwire listen",
		"partnerwire listen --forward http://127.0.0.1:3001/webhooks",
		"partnerwire listen --port 0 --fail 2 --json",
		"partnerwire listen --delay 12000",
	],
	flags: {
		secret: SETTINGS.secret,
		port: option(
			"port",
			"Port to listen on; 0 takes a free one",
			integer(0, 65_535),
			{ fallback: 4400 },
		),
		// fetch refuses URLs with credentials, and its error message repeats them.
		forward: option("url", "Send what was verified on to this URL", serviceUrl),
		fail: option(
			"n",
			"Answer the first N events with 500",
			integer(0, 1_000_000),
		),
		delay: option("ms", "Wait before each answer", integer(0, 60_000)),
		status: option(
			"n",
			"Answer verified events with this status, from 200 to 599",
			integer(200, 599),
		),
		https: toggle("Serve HTTPS with a self-signed certificate"),
		interactive,
	},
	async run({ flags, output }) {
		const { port, forward, status, https, delay: delayMs = 0 } = flags;
		let failuresLeft = flags.fail ?? 0;
		if (forward !== undefined && status !== undefined)
			throw new UsageError(
				"--status does nothing with --forward: the sender gets what that receiver answers",
			);
		if (forward !== undefined && leadsTo(forward, port))
			throw new UsageError(
				`--forward ${printable(forward)} is this listener itself`,
			);
		// The receiver itself warns of an id.
		const secret = requireSecret(flags, { warn() {} });
		// Ends with its reader, so that `listen --json | head -1` ends.
		const stopped = untilStopped({ endsWithReader: true });

		const arrivals = createArrivals();
		/** The request that is being answered. */
		const current = new AsyncLocalStorage<Arrival>();
		const receiver = createReceiver({
			secret,
			explain: true,
			deadlineMs: delayMs + DEADLINE_MARGIN_MS,
			// When forwarding, the target receiver handles duplicates.
			...(forward && { dedup: false as const }),
			onVerdict: (seen) => {
				const arrival = current.getStore() as Arrival;
				const { number, replayOf } = arrival;
				// Only signed requests are kept: anybody can send anything.
				if (seen.claims !== undefined && seen.outcome !== "rejected")
					arrivals.keep(arrival);
				output.say(
					{
						event: "received",
						number,
						...(replayOf !== undefined && { replay_of: replayOf }),
						...seen,
					},
					showArrival(arrival, seen, new Date()),
				);
			},
			onError: (error) => {
				if (error !== ASKED_FOR)
					writeError(`${printable(describeFault(error))}\n`);
			},
			log: (message) => writeError(`${printable(message)}\n`),
		}).on("*", async () => {
			if (delayMs > 0) await wait(delayMs);
			if (failuresLeft-- > 0) throw ASKED_FOR;
		});
		const { toNodeHandler } = await import("h3");
		const { createHookApp } = await import("../../service/hook-app.ts");
		const { createRecordingApp, giveTo } = await import(
			"../../service/record-requests.ts"
		);
		const { openDevListener } = await import("../listen/dev-listener.ts");
		const hook = createHookApp(receiver, {
			status,
			forward,
			onForward: (answer) =>
				output.say(
					{
						event: "forwarded",
						number: current.getStore()?.number,
						...answer,
					},
					showForward(forward ?? "", answer),
				),
		});
		const answer = (arrival: Arrival) =>
			current.run(arrival, () => giveTo(hook, arrival.request));
		const app = createRecordingApp((request) => answer(arrivals.add(request)));
		const listener = await openDevListener(toNodeHandler(app), {
			name: "Partnerwire listen",
			port,
			path: PATH,
			https,
		});
		const url = new URL(PATH, listener.url).href;
		const isInteractive = flags.interactive ?? process.stdin.isTTY === true;
		output.say(
			{ event: "ready", url, pid: process.pid },
			[
				`Listening at ${paint.cyan(url)}`,
				...(forward
					? [`What is verified goes on to ${printable(forward)}`]
					: []),
				...(isInteractive ? [paint.dim(TYPED)] : []),
			].join("\n"),
		);
		const tell = (text: string) => output.say({ event: "told", text }, text);
		const stopReading = isInteractive
			? readCommands(process.stdin, {
					tell,
					list: () =>
						tell(`there are ${arrivals.numbers().join(", ") || "none"}`),
					replay(number) {
						const found = arrivals.get(number);
						if (!found)
							return tell(`there is no event #${number} to send again`);
						void answer(arrivals.add(found.request, number));
					},
				})
			: () => {};
		await stopped;
		stopReading();
		await listener.close();
	},
});

/** Whether a URL leads to a port of this machine. */
function leadsTo(text: string, port: number): boolean {
	const url = new URL(text);
	const isHere = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(
		url.hostname,
	);
	const own = url.port || (url.protocol === "https:" ? "443" : "80");
	return isHere && own === String(port);
}
