import { createServer, type IncomingMessage } from "node:http";
import type { Receiver, ReceiverOptions } from "@partnerwire/receiver";
import { toExpress } from "@partnerwire/receiver/express";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { toNodeHandler } from "@partnerwire/receiver/node";
import express, { type RequestHandler } from "express";
import { H3 } from "h3";
import { toNodeHandler as toH3NodeHandler } from "h3/node";
import { listen } from "#kit/endpoints/adapters.ts";
import { openWorld } from "./world.ts";

const keepRaw = express.json({
	verify: (req, _res, raw) => {
		(req as IncomingMessage & { rawBody?: Buffer }).rawBody = raw;
	},
});
/** Reads the stream to its end and keeps nothing. */
const drain: RequestHandler = (req, _res, next) => {
	req.resume();
	req.once("end", () => next());
};

/** Every way to mount a receiver behind a body parser, and what the parser leaves of the body. */
export const PARSERS: readonly [
	name: string,
	parser: RequestHandler,
	left: "raw" | "parsed" | "nothing",
][] = [
	["express.json()", express.json(), "parsed"],
	["express.json() with verify", keepRaw, "raw"],
	["express.raw()", express.raw({ type: () => true }), "raw"],
	["express.text()", express.text({ type: () => true }), "raw"],
	["a drained stream", drain, "nothing"],
];

export const MOUNTS: readonly [
	name: string,
	mount: (receiver: Receiver) => RequestHandler,
][] = [
	["toExpress", (receiver) => toExpress(receiver)],
	["toNodeHandler", (receiver) => toNodeHandler(receiver)],
	[
		"toH3Handler",
		(receiver) =>
			toH3NodeHandler(
				new H3().all("/hook", toH3Handler(receiver)),
			) as RequestHandler,
	],
];

/** Mounts a receiver in an Express app behind a parser. */
export const openBehind = (
	parser: RequestHandler,
	mount: (receiver: Receiver) => RequestHandler,
	options: Partial<ReceiverOptions> = {},
) =>
	openWorld(
		{
			open: (receiver) => {
				const app = express().use(parser).use(mount(receiver));
				return listen(createServer(app));
			},
		},
		options,
	);
