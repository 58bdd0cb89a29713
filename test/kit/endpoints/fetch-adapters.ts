/** The adapters that take a web `Request`. They need no server, so they run in every runtime. */
import type { Receiver } from "@partnerwire/receiver";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { toHono } from "@partnerwire/receiver/hono";
import { H3 } from "h3";
import { Hono } from "hono";
import { type Answer, fromResponse, type Shot, toRequest } from "./shot.ts";

/** A mounted receiver. */
export interface Mounted {
	send(shot: Shot): Promise<Answer>;
	/** Its URL, if it listens on a socket. */
	port?: number;
	close(): Promise<void>;
}

/** One way to mount a receiver, with the real framework. */
export interface Adapter {
	name: string;
	/** Does a body arrive over a socket or as a stream, so that it can stall or be chunked? */
	streams: boolean;
	socket: boolean;
	/** The cases that the framework answers itself, before the receiver. */
	leavesOut?: readonly string[];
	open(receiver: Receiver): Promise<Mounted>;
}

/** Frameworks whose own routes decide whether "/hook/" is "/hook". */
export const TRAILING_SLASH = "G09";

/** Frameworks with a body parser that comes first: it refuses bodies that it cannot parse. */
export const PARSED_FIRST: readonly string[] = [
	...["A09", "A10", "A10 bomb", "A11", "A17", "A18", "A22"],
];

export const inProcess = (
	send: (shot: Shot) => Promise<Answer>,
): Promise<Mounted> => Promise.resolve({ send, close: async () => {} });

export const FETCH_ADAPTERS: readonly Adapter[] = [
	{
		name: "fetch",
		streams: true,
		socket: false,
		open: (receiver) =>
			inProcess(async (shot) =>
				fromResponse(await receiver.fetch(toRequest(shot))),
			),
	},
	{
		name: "h3 without a socket",
		streams: true,
		socket: false,
		open(receiver) {
			const app = new H3().all("/hook", toH3Handler(receiver));
			return inProcess(async (shot) =>
				fromResponse(await app.request(toRequest(shot))),
			);
		},
	},
	{
		name: "hono",
		streams: true,
		socket: false,
		leavesOut: [TRAILING_SLASH],
		open(receiver) {
			const app = new Hono().all("/hook", toHono(receiver));
			return inProcess(async (shot) =>
				fromResponse(await app.request(toRequest(shot))),
			);
		},
	},
];
