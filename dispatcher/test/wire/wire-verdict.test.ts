import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { expect, it } from "vitest";
import { answer, listenHttp, listenRaw } from "#kit/endpoints/receivers.ts";
import { USER_AGENT } from "../../src/http/user-agent.ts";
import { attempt, BODY, causeOf, openWire, TOKEN } from "../support/wires.ts";

const NOW = Date.UTC(2026, 10, 27, 22, 0, 0);

it("delivers on exactly 200, and sends the bytes, the token and the headers", async () => {
	const seen: {
		headers?: IncomingHttpHeaders;
		target?: string;
		body?: Buffer;
	} = {};
	const receiver = await listenHttp((request, response) => {
		const chunks: Buffer[] = [];
		request.on("data", (chunk: Buffer) => chunks.push(chunk));
		request.on("end", () => {
			seen.headers = request.headers;
			seen.target = `${request.method} ${request.url}`;
			seen.body = Buffer.concat(chunks);
			response.writeHead(200, { "x-receiver": "1" }).end('{"ok":true}');
		});
	});
	const wire = openWire({ clock: () => NOW });
	const result = await attempt(wire, receiver.url);
	expect(result).toMatchObject({
		delivered: true,
		status: 200,
		failure: null,
		startedAt: NOW,
		address: "127.0.0.1",
		retriedOnReset: false,
		responseBody: '{"ok":true}',
		retryAfterMs: null,
	});
	expect(result.responseHeaders).toMatchObject({ "x-receiver": "1" });
	expect(result.timings).toMatchObject({ dnsMs: null, tlsMs: null });
	expect(result.timings.connectMs).not.toBeNull();
	expect(seen.target).toBe("POST /hook?tenant=1");
	expect(seen.body).toEqual(Buffer.from(BODY));
	expect(seen.headers).toMatchObject({
		"content-type": "application/json",
		"content-length": String(BODY.length),
		authorization: `Bearer ${TOKEN}`,
		"user-agent": USER_AGENT,
	});
});

it("names the package's version in its user-agent", () => {
	const path = new URL("../../package.json", import.meta.url);
	const { version } = JSON.parse(readFileSync(path, "utf8")) as {
		version: string;
	};
	expect(USER_AGENT).toBe(`Partnerwire/${version}`);
});

it.each([
	[201, "wrong_success"],
	[202, "wrong_success"],
	[204, "wrong_success"],
	[206, "wrong_success"],
	[304, "redirect"],
	[400, "client_error"],
	[401, "client_error"],
	[404, "client_error"],
	[410, "gone"],
	[429, "rate_limited"],
	[500, "server_error"],
	[503, "server_error"],
	[799, "invalid_response"],
])("fails on %i: %s", async (status, failureClass) => {
	const receiver = await listenHttp(answer(status));
	const result = await attempt(openWire(), receiver.url);
	expect(result.status).toBe(status);
	expect(causeOf(result)).toEqual([failureClass, "status", null]);
	expect(result.failure?.message).toContain(`answered ${status}: `);
});

it.each([301, 302, 303, 307, 308])("does not follow a %i", async (status) => {
	const location: string[] = [];
	let requests = 0;
	const receiver = await listenHttp((request, response) => {
		requests++;
		answer(status, { location: location[0] ?? "" })(request, response);
	});
	location.push(receiver.url);
	const result = await attempt(openWire(), receiver.url);
	expect(causeOf(result)).toEqual(["redirect", "status", null]);
	expect(result.responseHeaders.location).toBe(receiver.url);
	expect(requests).toBe(1);
});

it.each([
	["120", 120_000],
	["0", 0],
	["Fri, 27 Nov 2026 22:01:30 GMT", 90_000],
	["Fri, 27 Nov 2026 21:00:00 GMT", 0],
	["soon", null],
])("reads Retry-After: %s", async (value, retryAfterMs) => {
	const receiver = await listenHttp(answer(429, { "retry-after": value }));
	const wire = openWire({ clock: () => NOW });
	const result = await attempt(wire, receiver.url);
	if (retryAfterMs === null) return expect(result.retryAfterMs).toBeNull();
	// The answer comes a little later than the attempt starts.
	expect(result.retryAfterMs).toBeLessThanOrEqual(retryAfterMs);
	expect(result.retryAfterMs).toBeGreaterThanOrEqual(
		Math.max(0, retryAfterMs - result.durationMs),
	);
});

it("keeps headers without cookies and tokens, and 4 KiB of the body", async () => {
	const receiver = await listenHttp((request, response) => {
		response
			.writeHead(
				500,
				[
					["set-cookie", "session=1"],
					["x-echo", request.headers.authorization ?? ""],
					["x-two", "a"],
					["x-two", "b"],
					["x-long", "y".repeat(5_000)],
				].flat(),
			)
			.end(`${request.headers.authorization}\0${"é".repeat(4_000)}`);
	});
	const { responseHeaders, responseBody } = await attempt(
		openWire(),
		receiver.url,
	);
	expect(responseHeaders).not.toHaveProperty("set-cookie");
	expect(responseHeaders["x-echo"]).toBe("Bearer [token]");
	expect(responseHeaders["x-two"]).toEqual(["a", "b"]);
	expect(responseHeaders["x-long"]).toHaveLength(1024);
	expect(responseBody).toMatch(/^Bearer \[token\]\uFFFDé+$/);
	expect(Buffer.byteLength(responseBody)).toBeLessThanOrEqual(4096);
});

it("takes the longer of two Retry-After headers", async () => {
	const receiver = await listenRaw((socket) => {
		socket.write(
			"HTTP/1.1 429 Slow\r\nretry-after: 120\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n",
		);
	});
	const result = await attempt(openWire(), receiver.url);
	expect(result.retryAfterMs).toBe(120_000);
});
