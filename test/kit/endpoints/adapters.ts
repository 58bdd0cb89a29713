import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { http } from "@google-cloud/functions-framework";
import { getTestServer } from "@google-cloud/functions-framework/testing";
import { serve as serveHono } from "@hono/node-server";
import { toExpress } from "@partnerwire/receiver/express";
import { toFastify } from "@partnerwire/receiver/fastify";
import { toH3Handler } from "@partnerwire/receiver/h3";
import { toHono } from "@partnerwire/receiver/hono";
import { toKoa } from "@partnerwire/receiver/koa";
import { toLambda } from "@partnerwire/receiver/lambda";
import { toNext } from "@partnerwire/receiver/next";
import { toNodeHandler } from "@partnerwire/receiver/node";
import express from "express";
import { fastify } from "fastify";
import { H3, serve as serveH3 } from "h3";
import { Hono } from "hono";
import Koa from "koa";
import { AZURE_ADAPTERS } from "./azure-adapters.ts";
import {
	type Adapter,
	FETCH_ADAPTERS,
	inProcess,
	type Mounted,
	PARSED_FIRST,
	TRAILING_SLASH,
} from "./fetch-adapters.ts";
import { toAlbEvent, toV1Event, toV2Event } from "./lambda-events.ts";
import {
	fromResponse,
	type Shot,
	sendOverHttp,
	toAnswer,
	toRequest,
} from "./shot.ts";

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
	...FETCH_ADAPTERS,
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
		name: "koa",
		streams: true,
		socket: true,
		open: (receiver) =>
			listen(createServer(new Koa().use(toKoa(receiver)).callback())),
	},
	{
		name: "hono on node",
		streams: true,
		socket: true,
		leavesOut: [TRAILING_SLASH],
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
				const request = toRequest(shot);
				const handler = handlers[request.method as "POST"];
				return fromResponse(await handler(request));
			});
		},
	},
	lambda("lambda v1", toV1Event),
	lambda("lambda v2", toV2Event),
	lambda("lambda alb", toAlbEvent),
	...AZURE_ADAPTERS,
	{
		name: "google cloud functions",
		streams: false,
		socket: true,
		leavesOut: PARSED_FIRST,
		open(receiver) {
			http("hook", toExpress(receiver));
			return listen(getTestServer("hook"));
		},
	},
];
