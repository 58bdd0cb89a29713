import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve as serveHono } from "@hono/node-server";
import type { Receiver } from "@partnerwire/receiver";
import { toExpress } from "@partnerwire/receiver/express";
import { toFastify } from "@partnerwire/receiver/fastify";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { toHono } from "@partnerwire/receiver/hono";
import { toLambda } from "@partnerwire/receiver/lambda";
import { toNext } from "@partnerwire/receiver/next";
import { toNodeHandler } from "@partnerwire/receiver/node";
import express from "express";
import { fastify } from "fastify";
import { H3, serve as serveH3 } from "h3";
import { Hono } from "hono";
import { NextRequest } from "next/server.js";
import { toAlbEvent, toV1Event, toV2Event } from "./lambda-events.ts";
import {
	type Answer,
	fromResponse,
	type Shot,
	sendOverHttp,
	toAnswer,
	toRequest,
} from "./shot.ts";

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
	open(receiver: Receiver): Promise<Mounted>;
}

export async function listen(server: Server): Promise<Mounted> {
	server.listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		port,
		send: (shot) => sendOverHttp(port, shot),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const inProcess = (send: (shot: Shot) => Promise<Answer>): Promise<Mounted> =>
	Promise.resolve({ send, close: async () => {} });

const lambda = (
	name: string,
	toEvent: (shot: Shot) => Parameters<ReturnType<typeof toLambda>>[0],
): Adapter => ({
	name,
	streams: false,
	socket: false,
	open(receiver) {
		const handler = toLambda(receiver);
		return inProcess(async (shot) => {
			const result = await handler(toEvent(shot));
			const headers =
				result.headers ??
				Object.fromEntries(
					Object.entries(result.multiValueHeaders ?? {}).map(
						([key, values]) => [key, values.join(",")],
					),
				);
			return toAnswer(result.statusCode, headers, result.body);
		});
	},
});

/** Every adapter with its real framework. Each case runs on all to which it applies. */
export const ADAPTERS: readonly Adapter[] = [
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
		name: "node",
		streams: true,
		socket: true,
		open: (receiver) => listen(createServer(toNodeHandler(receiver))),
	},
	{
		name: "h3",
		streams: true,
		socket: true,
		async open(receiver) {
			const app = new H3().all("/hook", toH3Handler(receiver));
			const server = serveH3(app, {
				port: 0,
				hostname: "127.0.0.1",
				silent: true,
			});
			await server.ready();
			const port = Number(new URL(server.url ?? "").port);
			return {
				port,
				send: (shot) => sendOverHttp(port, shot),
				close: async () => void (await server.close(true)),
			};
		},
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
		name: "express",
		streams: true,
		socket: true,
		open: (receiver) =>
			listen(createServer(express().all("/hook", toExpress(receiver)))),
	},
	{
		name: "fastify",
		streams: true,
		socket: true,
		async open(receiver) {
			const app = fastify();
			await app.register(toFastify(receiver), { prefix: "/hook" });
			await app.listen({ port: 0, host: "127.0.0.1" });
			const { port } = app.server.address() as AddressInfo;
			return {
				port,
				send: (shot) => sendOverHttp(port, shot),
				close: async () => {
					app.server.closeAllConnections();
					await app.close();
				},
			};
		},
	},
	{
		name: "hono",
		streams: true,
		socket: false,
		open(receiver) {
			const app = new Hono().all("/hook", toHono(receiver));
			return inProcess(async (shot) =>
				fromResponse(await app.request(toRequest(shot))),
			);
		},
	},
	{
		name: "hono on node",
		streams: true,
		socket: true,
		async open(receiver) {
			const app = new Hono().all("/hook", toHono(receiver));
			const server = await new Promise<Server>((resolve) => {
				const started = serveHono(
					{ fetch: app.fetch, port: 0, hostname: "127.0.0.1" },
					() => resolve(started as Server),
				);
			});
			const { port } = server.address() as AddressInfo;
			return {
				port,
				send: (shot) => sendOverHttp(port, shot),
				close: async () => {
					server.closeAllConnections();
					await new Promise((resolve) => server.close(resolve));
				},
			};
		},
	},
	{
		name: "next",
		streams: true,
		socket: false,
		open(receiver) {
			const handlers = toNext(receiver);
			return inProcess(async (shot) => {
				const request = new NextRequest(toRequest(shot));
				const handler = handlers[request.method as "POST"];
				return fromResponse(await handler(request));
			});
		},
	},
	lambda("lambda v1", toV1Event),
	lambda("lambda v2", toV2Event),
	lambda("lambda alb", toAlbEvent),
];
