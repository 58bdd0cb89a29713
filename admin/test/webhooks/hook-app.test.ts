import { once } from "node:events";
import {
	createServer,
	type IncomingHttpHeaders,
	type RequestListener,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createReceiver } from "@partnerwire/receiver";
import { signedRequest, TEST_SECRET } from "@partnerwire/receiver/testing";
import { toNodeHandler } from "h3";
import { expect, onTestFinished, test } from "vitest";
import {
	createHookApp,
	type ForwardAnswer,
} from "../../src/service/hook-app.ts";
import {
	createRecordingApp,
	giveTo,
	type RecordedRequest,
} from "../../src/service/record-requests.ts";

async function open(listener: RequestListener): Promise<string> {
	const server = createServer(listener).listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const createVerified = () =>
	createReceiver({ secret: TEST_SECRET, dedup: false }).on("*", async () => {});

async function openForwarding(forward: string, forwardTimeoutMs = 10_000) {
	const told: ForwardAnswer[] = [];
	const hook = createHookApp(createVerified(), {
		forward,
		forwardTimeoutMs,
		onForward: (answer) => told.push(answer),
	});
	return { url: await open(toNodeHandler(hook)), told };
}

/** A request that is signed, in parts. */
async function signed() {
	const request = await signedRequest();
	return {
		headers: Object.fromEntries(request.headers),
		body: await request.text(),
	};
}

async function send(url: string, more: Record<string, string> = {}) {
	const { headers, body } = await signed();
	return fetch(url, { method: "POST", headers: { ...headers, ...more }, body });
}

test("headers pass from end to end both ways, those of a connection do not", async () => {
	let came: IncomingHttpHeaders = {};
	const target = await open((request, response) => {
		came = request.headers;
		request.resume();
		response.writeHead(503, {
			"retry-after": "7",
			"x-request-id": "of the target",
			"keep-alive": "timeout=99",
			connection: "x-private, close",
			"x-private": "1",
		});
		response.end("busy");
	});
	const { url, told } = await openForwarding(target);
	const answer = await send(url, { "x-trace": "t", te: "trailers" });
	expect([answer.status, await answer.text()]).toEqual([503, "busy"]);
	expect(Object.fromEntries(answer.headers)).toMatchObject({
		"retry-after": "7",
		"x-request-id": "of the target",
	});
	expect(answer.headers.get("x-private")).toBeNull();
	expect(answer.headers.get("keep-alive")).not.toBe("timeout=99");
	expect(came).toMatchObject({
		"x-trace": "t",
		"content-type": "application/json",
	});
	expect(came.authorization).toMatch(/^Bearer /);
	expect(came.te).toBeUndefined();
	expect(told).toMatchObject([{ status: 503, body: "busy" }]);
});

test("no more than 64 KiB of an answer are read, however long it goes on", async () => {
	const target = await open((request, response) => {
		request.resume();
		const more = () => {
			while (!response.destroyed && response.write("x".repeat(16_384)));
		};
		response.on("drain", more);
		more();
	});
	const { url } = await openForwarding(target);
	const answer = await send(url);
	expect((await answer.arrayBuffer()).byteLength).toBe(65_536);
});

test.each([
	["says nothing", () => {}],
	[
		"ends no body",
		(response: { write(text: string): void }) => response.write("x"),
	],
])("a target that %s is 502 when its time is over", async (_what, answer) => {
	const target = await open((request, response) => {
		request.resume();
		answer(response);
	});
	const { url, told } = await openForwarding(target, 50);
	expect((await send(url)).status).toBe(502);
	expect(told).toMatchObject([{ status: null, error: "no answer in time" }]);
});

test("what comes back to the listener that passed it on ends there", async () => {
	let own = "";
	let rounds = 0;
	const back = await open(async (request, response) => {
		rounds++;
		const body = await buffer(request);
		const { host: _, ...headers } = request.headers as Record<string, string>;
		delete headers["content-length"];
		delete headers.connection;
		const answer = await fetch(own, {
			method: "POST",
			headers,
			body,
		});
		response.writeHead(answer.status).end();
	});
	own = (await openForwarding(back)).url;
	expect((await send(own)).status).toBe(508);
	expect(rounds).toBe(1);
	// One listener after another is no loop.
	const target = await open((request, response) => {
		request.resume();
		response.end();
	});
	const second = await openForwarding(target);
	expect((await send((await openForwarding(second.url)).url)).status).toBe(200);
});

test("a body is read no further than a receiver takes it", async () => {
	const recorded: RecordedRequest[] = [];
	const hook = createHookApp(createVerified());
	const app = createRecordingApp((request) => {
		recorded.push(request);
		return giveTo(hook, request);
	});
	const { headers } = await signed();
	const body = new Uint8Array(5 * 1024 * 1024).fill(32);
	const answer = await app.request("http://127.0.0.1/hook", {
		method: "POST",
		headers,
		body,
	});
	expect(answer.status).toBe(413);
	expect(recorded[0]?.body.byteLength).toBe(1024 * 1024 + 1);
});
