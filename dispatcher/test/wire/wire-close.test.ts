import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { answer, listenHttp, listenRaw } from "#kit/endpoints/receivers.ts";
import { createWire } from "../../src/index.ts";
import { attempt, causeOf, openWire, WIRES } from "../support/wires.ts";

describe.each(WIRES)("%s", (_name, openWire) => {
	it("lets an attempt in flight end", async () => {
		let finish: (() => void) | undefined;
		const server = createServer((request, response) => {
			finish = () => answer(200)(request, response);
			server.emit("asked");
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const { port } = server.address() as AddressInfo;
		const wire = openWire();
		const attempting = attempt(wire, `http://127.0.0.1:${port}/`);
		await once(server, "asked");
		const closing = wire.close();
		finish?.();
		expect((await attempting).delivered).toBe(true);
		await closing;
		server.close();
	});

	it("closes once for all who ask, and a grace period given later still holds", async () => {
		const receiver = await listenRaw(() => {});
		const wire = openWire({ answerTimeoutMs: 60_000 });
		const attempting = attempt(wire, receiver.url);
		await Promise.all([
			wire.close(),
			wire.close(),
			wire.close({ graceMs: 60_000 }),
			wire.close({ graceMs: 1 }),
		]);
		expect(causeOf(await attempting)?.[0]).toBe("aborted");
	});

	it("takes no attempt once it is closed", async () => {
		const receiver = await listenHttp(answer(200));
		const wire = openWire();
		await attempt(wire, receiver.url);
		await wire.close();
		await wire.close();
		await expect(attempt(wire, receiver.url)).rejects.toThrow(
			"the wire is closed",
		);
	});
});

it("cuts attempts short after the grace period: sent, connecting and waiting ones", async () => {
	const receiver = await listenRaw(() => {});
	const wire = openWire({
		connections: 1,
		resolve: () => {},
		connectTimeoutMs: 60_000,
		answerTimeoutMs: 60_000,
	});
	const attempts = [
		attempt(wire, receiver.url),
		attempt(wire, receiver.url),
		attempt(wire, "http://slow.example/"),
	];
	await wire.close({ graceMs: 20 });
	for (const result of await Promise.all(attempts))
		expect(causeOf(result)?.[0]).toBe("aborted");
});

it("refuses a CIDR block that is none, when it is created", () => {
	expect(() => createWire({ allowedNetworks: ["10.0.0.0"] })).toThrow(
		'not a CIDR block: "10.0.0.0"',
	);
});
