import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { CERTIFICATE, CERTIFIED_HOST } from "#kit/endpoints/certificates.ts";
import { FLOODS, listenFlood } from "#kit/endpoints/floods.ts";
import { listenRaw, RAW_OK } from "#kit/endpoints/receivers.ts";
import { openProbe, send, sendWithRetry } from "../../src/index.ts";
import { attempt, openWire, SECRET, WIRES } from "../support/wires.ts";

const KIB = 1024;
/** The most that the system's buffers hold of one connection. A client that keeps reading takes thousands of times as much in 10 s. */
const ON_THE_WAY_BYTES = 16 * KIB * KIB;
const OK = "HTTP/1.1 200 OK\r\n";
const INTERIM = "HTTP/1.1 102 P\r\n\r\n";
const resolveToSelf = {
	resolve: (
		_host: string,
		callback: (
			error: null,
			addresses: { address: string; family: number }[],
		) => void,
	) => callback(null, [{ address: "127.0.0.1", family: 4 }]),
};
const endless = FLOODS.map((flood) => [flood.what, flood] as const);

describe.each(WIRES)("%s", (_name, openWire) => {
	it.each(endless)(
		"an attempt ends by itself at endless %s",
		async (_, flood) => {
			const receiver = await listenFlood(flood);
			const result = await attempt(openWire(), receiver.url);
			await receiver.ended();
			expect(result.failure?.class ?? null).toBe(flood.class);
			expect(result.status).toBe(flood.status);
			expect(Buffer.byteLength(result.responseBody)).toBeLessThanOrEqual(
				4 * KIB,
			);
			expect(receiver.sentBytes()).toBeLessThan(ON_THE_WAY_BYTES);
		},
	);

	it("an attempt over a connection that was used before ends as well, and is not made again", async () => {
		const receiver = await listenRaw((socket, _connection, chunk) => {
			socket.write(chunk === 1 ? RAW_OK : "\r\n".repeat(64 * KIB));
		});
		const wire = openWire({ connections: 1 });
		await attempt(wire, receiver.url);
		expect(await attempt(wire, receiver.url)).toMatchObject({
			failure: { class: "answer_too_large", code: "ANSWER_TOO_LARGE" },
			retriedOnReset: false,
		});
		expect(receiver.sockets).toHaveLength(1);
	});

	it("each request over a kept-alive connection may be answered in full", async () => {
		const body = "y".repeat(60 * KIB);
		const receiver = await listenRaw((socket) =>
			socket.write(`${OK}content-length: ${body.length}\r\n\r\n${body}`),
		);
		const wire = openWire({ connections: 1 });
		for (let round = 0; round < 8; round++)
			expect((await attempt(wire, receiver.url)).delivered).toBe(true);
		expect(receiver.sockets).toHaveLength(1);
	});

	it.each([
		[16, null],
		[17, "answer_too_large"],
	])("%i interim answers before a 200: %s", async (count, failure) => {
		const receiver = await listenRaw((socket) =>
			socket.write(INTERIM.repeat(count) + RAW_OK),
		);
		const result = await attempt(openWire(), receiver.url);
		expect(result.failure?.class ?? null).toBe(failure);
	});

	it("interim answers that drip are counted too", async () => {
		const drip = (socket: Socket) => {
			if (!socket.destroyed)
				socket.write(INTERIM, () => setImmediate(drip, socket));
		};
		const receiver = await listenRaw(drip);
		const result = await attempt(openWire(), receiver.url);
		expect(result.failure?.class).toBe("answer_too_large");
	});

	it.each([
		["blank lines", "\r\n"],
		["another answer", RAW_OK],
		["what is no HTTP", "x"],
	])(
		"%s that nobody asked for end the connection, and no attempt",
		async (_, more) => {
			const receiver = await listenRaw((socket) => socket.write(RAW_OK));
			const wire = openWire({ connections: 1 });
			expect((await attempt(wire, receiver.url)).delivered).toBe(true);
			const [first] = receiver.sockets as [Socket];
			const closed = new Promise((resolve) => first.once("close", resolve));
			first.write(more);
			await closed;
			expect((await attempt(wire, receiver.url)).delivered).toBe(true);
			expect(receiver.sockets).toHaveLength(2);
		},
	);
});

it.each(endless)(
	"over TLS what is decrypted counts: endless %s",
	async (_, flood) => {
		const receiver = await listenFlood(flood, "https");
		const wire = openWire({ ...resolveToSelf, ca: CERTIFICATE });
		const result = await attempt(
			wire,
			`https://${CERTIFIED_HOST}:${receiver.port}/`,
		);
		await receiver.ended();
		expect(result.failure?.class ?? null).toBe(flood.class);
		expect(receiver.sentBytes()).toBeLessThan(ON_THE_WAY_BYTES);
	},
);

it.each(endless)(
	"a probe ends at endless %s, over TLS too",
	async (_, flood) => {
		const probe = openProbe({
			...resolveToSelf,
			allowHttp: true,
			allowPrivate: true,
			ca: CERTIFICATE,
		});
		onTestFinished(() => probe.close());
		for (const protocol of ["http", "https"] as const) {
			const receiver = await listenFlood(flood, protocol);
			const { ok, checks, status } = await probe.look(
				`${protocol}://${CERTIFIED_HOST}:${receiver.port}/`,
			);
			await receiver.ended();
			// A HEAD request is complete with the answer's head.
			const isHeadWhole = flood.begin.includes("\r\n\r\n");
			expect(status).toBe(flood.status);
			expect(ok).toBe(isHeadWhole && status === 200);
			if (!isHeadWhole)
				expect(checks.at(-1)).toMatchObject({
					name: "answer",
					message: expect.stringContaining("larger"),
					advice: expect.stringContaining("at most 16 interim"),
				});
			expect(receiver.sentBytes()).toBeLessThan(ON_THE_WAY_BYTES);
		}
	},
);

it("the library's own sending ends as well, and its retries do", async () => {
	const [flood] = FLOODS;
	const receiver = await listenFlood(flood as (typeof FLOODS)[number]);
	const options = {
		url: receiver.url,
		secret: SECRET,
		event: "lead_created",
		entity: {} as never,
		companyUuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
		userUuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
		wireOptions: { allowHttp: true, allowPrivate: true },
	} as const;
	expect((await send(options)).failure?.class).toBe("answer_too_large");
	const { attempts } = await sendWithRetry(options, {
		retries: 2,
		minDelayMs: 1,
	});
	expect(attempts.map(({ failure }) => failure?.class)).toEqual(
		Array(3).fill("answer_too_large"),
	);
	expect(receiver.sentBytes()).toBeLessThan(4 * ON_THE_WAY_BYTES);
});

it("reaches a name that resolves to ::1 alone", async () => {
	const server = createServer((request, response) => {
		request.resume().on("end", () => response.end("{}"));
	});
	onTestFinished(() => {
		server.close();
	});
	const isThere = await new Promise<boolean>((resolve) => {
		server.once("error", () => resolve(false));
		server.listen(0, "::1", () => resolve(true));
	});
	const port = isThere ? (server.address() as AddressInfo).port : 9;
	const wire = openWire({
		resolve: (_host, callback) =>
			callback(null, [{ address: "::1", family: 6 }]),
	});
	const result = await attempt(wire, `http://localhost:${port}/hook`);
	expect(result.address).toBe("::1");
	// On a machine without IPv6 the attempt fails, and the failure says where.
	if (isThere) expect(result.delivered).toBe(true);
	else expect(result.failure?.stage).toBe("connect");
});
