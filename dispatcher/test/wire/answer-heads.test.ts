// Raw answers, and what becomes of the attempt: docs/dispatcher.md#answers-that-other-clients-take.
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, it } from "vitest";
import { listenRaw, RAW_OK } from "#kit/endpoints/receivers.ts";
import {
	ANSWER_BYTES,
	boundReads,
} from "../../src/http/connections/bounded-reads.ts";
import { createConnection } from "../../src/http/connections/connection.ts";
import { StatusLines } from "../../src/http/connections/status-lines.ts";
import { adviceFor } from "../../src/index.ts";
import { ANSWER_HEADS } from "../support/answer-heads.ts";
import { attempt, openWire } from "../support/wires.ts";

const rows = ANSWER_HEADS.map((head) => [head.what, head] as const);
const toBytes = (text: string) => Buffer.from(text, "latin1");

it.each(rows)("an answer with %s", async (_what, head) => {
	const receiver = await listenRaw((socket, connection) => {
		const isFirst = connection === 1;
		socket.write(isFirst ? toBytes(head.bytes) : RAW_OK);
		if (isFirst && head.isLast) socket.end();
	});
	const wire = openWire({ connections: 1 });
	const result = await attempt(wire, receiver.url);
	expect([result.status, result.failure?.class ?? null]).toEqual([
		head.status,
		head.class,
	]);
	expect(result.failure?.message ?? "").toContain(head.message);
	if (head.class === "invalid_response")
		expect(adviceFor(result)).toContain("the message names its fault");
	// Whatever came, the next attempt has a connection that works.
	const next = await attempt(wire, receiver.url);
	if (receiver.sockets.length > 1) expect(next.delivered).toBe(true);
});

it("an answer to a request that the receiver does not read", async () => {
	const receiver = await listenRaw(() => {});
	const wire = openWire();
	const trial = attempt(wire, receiver.url);
	await expect.poll(() => receiver.sockets.length).toBe(1);
	const [socket] = receiver.sockets as [Socket];
	socket.pause().end(RAW_OK);
	expect((await trial).delivered).toBe(true);
});

it("a 100 that comes byte by byte is passed over too", async () => {
	const receiver = await listenRaw((socket) => {
		const bytes = toBytes(`HTTP/1.1 100 Continue\r\nx: y\r\n\r\n${RAW_OK}`);
		const drip = (at: number) => {
			if (at < bytes.length)
				socket.write(bytes.subarray(at, at + 1), () =>
					setImmediate(drip, at + 1),
				);
		};
		drip(0);
	});
	expect((await attempt(openWire(), receiver.url)).delivered).toBe(true);
});

const short = ANSWER_HEADS.filter(({ bytes }) => bytes.length < 1000);

it("the status is read however the bytes are cut", () => {
	const readAll = (parts: readonly Buffer[]) => {
		const lines = new StatusLines();
		lines.begin();
		const passed = parts.map((part) => Buffer.from(part));
		for (const part of passed) lines.read(part);
		return [lines.status, Buffer.concat(passed).toString("latin1")];
	};
	for (const { bytes, status } of short) {
		const whole = toBytes(bytes);
		const [found, passed] = readAll([whole]);
		expect(found).toBe(status);
		expect(passed).toBe(bytes.replaceAll("HTTP/1.1 100 ", "HTTP/1.1 102 "));
		for (let at = 0; at <= whole.length; at++)
			expect(readAll([whole.subarray(0, at), whole.subarray(at)])).toEqual([
				found,
				passed,
			]);
	}
});

it("of any answer at most 64 KiB reach the parser", () => {
	fc.assert(
		fc.property(
			fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 8 }),
			(sizes) => {
				const socket = new Readable({ read() {} });
				socket.on("error", () => {});
				const connection = createConnection();
				Object.assign(connection, { unread: ANSWER_BYTES, isAsked: true });
				boundReads(socket as Socket, connection);
				let taken = 0;
				for (const size of sizes) {
					socket.push(Buffer.alloc(size, "y"));
					for (let chunk = socket.read(); chunk; chunk = socket.read())
						taken += chunk.length;
				}
				const sent = sizes.reduce((sum, size) => sum + size, 0);
				expect(taken).toBe(Math.min(sent, ANSWER_BYTES));
				expect(socket.destroyed).toBe(sent >= ANSWER_BYTES);
			},
		),
	);
});
