import { once } from "node:events";
import type { Socket } from "node:net";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import {
	answer,
	listenHttp,
	listenRaw,
	RAW_OK,
} from "#kit/endpoints/receivers.ts";
import { attempt, causeOf, WIRES } from "../support/wires.ts";

const KIB = 1024;
/** Long enough for an expected event on a busy machine. */
const LATE_MS = 500;
// Otherwise undici may open a second connection just before the first is free again.
const ONE = { connections: 1 };
const head = (headers = "") => `HTTP/1.1 200 OK\r\n${headers}\r\n`;
/** The first 64 KiB of an answer that is longer. */
const LONG = head("content-length: 100000\r\n").padEnd(64 * KIB, "x");

describe.each(WIRES)("%s", (_name, openWire) => {
	it("fails when no answer comes in time", async () => {
		const receiver = await listenRaw(() => {});
		const result = await attempt(
			openWire({ answerTimeoutMs: 40 }),
			receiver.url,
		);
		expect(result.status).toBeNull();
		expect(causeOf(result)).toEqual([
			"answer_timeout",
			"request",
			"ANSWER_TIMEOUT",
		]);
	});

	it("fails when the headers do not end in time", async () => {
		const receiver = await listenRaw((socket) =>
			socket.write("HTTP/1.1 200 O"),
		);
		const result = await attempt(
			openWire({ answerTimeoutMs: LATE_MS }),
			receiver.url,
		);
		expect(causeOf(result)).toEqual([
			"answer_timeout",
			"headers",
			"ANSWER_TIMEOUT",
		]);
	});

	it("fails when the body of a 200 does not end within the answer's first 64 KiB", async () => {
		const receiver = await listenRaw((socket) => {
			socket.write(LONG.slice(0, -1));
		});
		const result = await attempt(
			openWire({ answerTimeoutMs: LATE_MS }),
			receiver.url,
		);
		expect(result.status).toBe(200);
		expect(causeOf(result)).toEqual(["body_timeout", "body", "ANSWER_TIMEOUT"]);
		expect(result.responseBody).toHaveLength(4 * KIB);
	});

	it("fails when the body of a 200 drips", async () => {
		const drip = (socket: Socket) => {
			if (!socket.destroyed && socket.write("x")) setTimeout(drip, 5, socket);
		};
		const receiver = await listenRaw((socket) => {
			socket.write(head("content-length: 100000\r\n"));
			drip(socket);
		});
		const result = await attempt(
			openWire({ answerTimeoutMs: LATE_MS }),
			receiver.url,
		);
		expect(causeOf(result)).toEqual(["body_timeout", "body", "ANSWER_TIMEOUT"]);
	});

	it.each(["content-length: 1000000000\r\n", "connection: close\r\n"])(
		"delivers a 200 whose body is endless, and closes: %j",
		async (headers) => {
			const receiver = await listenRaw((socket) => {
				const pump = () => {
					while (!socket.destroyed && socket.write("x".repeat(16 * KIB)));
				};
				socket.on("drain", pump).write(head(headers));
				pump();
			});
			const wire = openWire();
			const result = await attempt(wire, receiver.url);
			expect(result).toMatchObject({ delivered: true, status: 200 });
			const [socket] = receiver.sockets;
			if (socket && !socket.destroyed)
				await new Promise((resolve) => socket.on("close", resolve));
			expect((await attempt(wire, receiver.url)).delivered).toBe(true);
		},
	);

	it("delivers a 200 that stalls after exactly 64 KiB, its head included", async () => {
		const receiver = await listenRaw((socket) => {
			socket.write(LONG);
		});
		expect((await attempt(openWire(), receiver.url)).delivered).toBe(true);
	});

	it("keeps the verdict of another status when its body never ends", async () => {
		const receiver = await listenRaw((socket) => {
			socket.write("HTTP/1.1 410 Gone\r\ncontent-length: 10\r\n\r\nbye");
		});
		const result = await attempt(
			openWire({ answerTimeoutMs: LATE_MS }),
			receiver.url,
		);
		expect(causeOf(result)).toEqual(["gone", "status", null]);
		expect(result.responseBody).toBe("bye");
	});

	it("takes a lying gzip as it comes", async () => {
		const receiver = await listenHttp(
			answer(200, { "content-encoding": "gzip" }, "plain"),
		);
		const result = await attempt(openWire(), receiver.url);
		expect(result).toMatchObject({ delivered: true, responseBody: "plain" });
	});

	it("waits through an early hint", async () => {
		const receiver = await listenRaw((socket) => {
			socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${RAW_OK}`);
		});
		expect(await attempt(openWire(), receiver.url)).toMatchObject({
			delivered: true,
			status: 200,
		});
	});

	it.each([
		["another protocol", "SSH-2.0-OpenSSH_9.2\r\n"],
		[
			"an upgrade",
			"HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
		],
	])("fails on %s as an answer", async (_name, bytes) => {
		const receiver = await listenRaw((socket) => socket.write(bytes));
		const result = await attempt(openWire(), receiver.url);
		expect(result.failure?.class).toBe("invalid_response");
	});

	it("fails when the connection is refused", async () => {
		const server = createServer().listen(0, "127.0.0.1");
		await once(server, "listening");
		const address = server.address();
		const port = typeof address === "object" ? address?.port : 0;
		server.close();
		await once(server, "close");
		const result = await attempt(openWire(), `http://127.0.0.1:${port}/`);
		expect(causeOf(result)).toEqual([
			"connect_refused",
			"connect",
			"ECONNREFUSED",
		]);
		expect(result.address).toBe("127.0.0.1");
	});

	const BODIES: [how: string, headers: string, body: string][] = [
		["its length", "content-length: 10\r\n", "x"],
		["chunks", "transfer-encoding: chunked\r\n", "5\r\nx"],
		[
			"chunks of a connection that closes",
			"transfer-encoding: chunked\r\nconnection: close\r\n",
			"5\r\nx",
		],
	];
	const UNTIL_CLOSED: typeof BODIES = [
		["the connection's end", "", "x"],
		["the connection's end, as it says", "connection: close\r\n", "x"],
	];
	const endAfter = (headers: string, body: string) =>
		listenRaw((socket) => {
			socket.end(head(headers) + body);
		});

	it.each([...BODIES, ...UNTIL_CLOSED])(
		"fails on a reset in a body that ends by %s",
		async (_, headers, body) => {
			// If a reset arrives before the data are handed over, the connection may seem to end normally. So it comes later on each one.
			const receiver = await listenRaw((socket, connection) => {
				socket.write(head(headers) + body);
				setTimeout(() => socket.resetAndDestroy(), connection);
			});
			const wire = openWire();
			await expect
				.poll(() => attempt(wire, receiver.url), { interval: 1 })
				.toMatchObject({
					delivered: false,
					status: 200,
					retriedOnReset: false,
					failure: { class: "reset", stage: "body", code: "ECONNRESET" },
				});
		},
	);

	it.each(BODIES)(
		"fails when the connection ends in a body that ends by %s",
		async (_, headers, body) => {
			const receiver = await endAfter(headers, body);
			const result = await attempt(openWire(), receiver.url);
			expect(result.status).toBe(200);
			expect(result.failure?.class).toBe("reset");
		},
	);

	it.each(UNTIL_CLOSED)(
		"delivers a 200 whose body ends by %s",
		async (_, headers, body) => {
			const receiver = await endAfter(headers, body);
			const result = await attempt(openWire(), receiver.url);
			expect(result).toMatchObject({ delivered: true, responseBody: "x" });
		},
	);

	it("does not retry a reset on a fresh connection", async () => {
		const receiver = await listenRaw((socket) => socket.resetAndDestroy());
		const result = await attempt(openWire(ONE), receiver.url);
		expect(causeOf(result)).toEqual(["reset", "request", "ECONNRESET"]);
		expect(result.retriedOnReset).toBe(false);
		expect(receiver.sockets).toHaveLength(1);
	});

	it.each([
		["resets", (socket: Socket) => socket.resetAndDestroy()],
		["closes", (socket: Socket) => socket.end()],
	])(
		"retries once on a fresh connection when a reused one %s",
		async (_, die) => {
			const receiver = await listenRaw((socket, connection, chunk) => {
				if (connection === 1 && chunk > 1) die(socket);
				else socket.write(RAW_OK);
			});
			const wire = openWire(ONE);
			expect((await attempt(wire, receiver.url)).retriedOnReset).toBe(false);
			expect(receiver.sockets).toHaveLength(1);
			expect(await attempt(wire, receiver.url)).toMatchObject({
				delivered: true,
				retriedOnReset: true,
			});
			expect(receiver.sockets).toHaveLength(2);
		},
	);

	it("records the second failure when the retry is reset too", async () => {
		const receiver = await listenRaw((socket, connection, chunk) => {
			if (connection === 1 && chunk === 1) socket.write(RAW_OK);
			else socket.resetAndDestroy();
		});
		const wire = openWire(ONE);
		await attempt(wire, receiver.url);
		const result = await attempt(wire, receiver.url);
		expect(causeOf(result)).toEqual(["reset", "request", "ECONNRESET"]);
		expect(result.retriedOnReset).toBe(true);
		expect(receiver.sockets).toHaveLength(2);
	});

	it("does not retry once a byte of an answer has come", async () => {
		const receiver = await listenRaw((socket, _connection, chunk) => {
			if (chunk === 1) socket.write(RAW_OK);
			else socket.write("H", () => socket.end());
		});
		const wire = openWire(ONE);
		await attempt(wire, receiver.url);
		const result = await attempt(wire, receiver.url);
		expect(result.retriedOnReset).toBe(false);
		expect(result.failure?.class).toBe("reset");
		expect(receiver.sockets).toHaveLength(1);
	});

	it("delivers when the receiver closed the idle connection between two requests", async () => {
		const receiver = await listenRaw((socket) => socket.write(RAW_OK));
		const wire = openWire(ONE);
		await attempt(wire, receiver.url);
		receiver.sockets[0]?.end();
		expect((await attempt(wire, receiver.url)).delivered).toBe(true);
		expect(receiver.sockets).toHaveLength(2);
	});
});
