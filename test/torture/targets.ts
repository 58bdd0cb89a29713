import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createReceiver, type Receiver } from "@partnerwire/receiver";
import { expect, onTestFinished } from "vitest";
import { runTorture } from "../../admin/src/torture/run-torture.ts";
import type { Adapter, Mounted } from "../kit/endpoints/fetch-adapters.ts";

export const SECRET = randomUUID();
const MAX_GATEWAY_BYTES = 5 * 1024 * 1024;
const GATEWAY_TIMEOUT_MS = 400;

/** Starts a server for one test. */
export async function listen(server: Server): Promise<URL> {
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return new URL(`http://127.0.0.1:${port}/hook`);
}

/** A gateway in front of a function: reads the whole body, within limits, and passes a request on. */
function createGateway({ send }: Mounted): Server {
	return createServer(async (request, response) => {
		const refuse = (status: number) => {
			response.writeHead(status, { connection: "close" }).end();
		};
		if (Number(request.headers["content-length"]) > MAX_GATEWAY_BYTES)
			return refuse(413);
		const timer = setTimeout(() => refuse(408), GATEWAY_TIMEOUT_MS);
		const body = await buffer(request).catch(() => null);
		clearTimeout(timer);
		if (!body || response.writableEnded) return;
		const names = Object.keys(request.headersDistinct);
		const others = names.filter((name) => name !== "authorization");
		const answer = await send({
			method: request.method ?? "GET",
			authorization: request.headersDistinct.authorization ?? null,
			headers: {
				"content-type": null,
				...Object.fromEntries(
					others.map((name) => [name, String(request.headers[name])]),
				),
			},
			body,
		});
		response.writeHead(answer.status, answer.headers).end(answer.text);
	});
}

const createRight = (): Receiver =>
	createReceiver({ secret: SECRET, bodyTimeoutMs: 400, log: () => {} }).on(
		"*",
		() => {},
	);

/** A correct receiver on an adapter. Functions without a socket are behind a gateway, as in production. */
export async function mount(adapter: Adapter): Promise<URL> {
	const mounted = await adapter.open(createRight());
	onTestFinished(mounted.close);
	return mounted.port === undefined
		? listen(createGateway(mounted))
		: new URL(`http://127.0.0.1:${mounted.port}/hook`);
}

/** The names of the failed checks. */
export async function missedBy(url: URL, timeoutMs: number): Promise<string[]> {
	const results = await runTorture({ url, secret: SECRET, timeoutMs });
	for (const { passed, advice } of results)
		expect(advice === null).toBe(passed);
	return results.filter(({ passed }) => !passed).map(({ check }) => check);
}
