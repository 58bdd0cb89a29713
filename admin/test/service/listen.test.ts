import { once } from "node:events";
import { Server } from "node:http";
import { connect } from "node:net";
import { H3 } from "h3";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "../../src/service/listen.ts";

test("a connection that cannot be taken is reported, and the next one is served", async () => {
	const listening = vi.spyOn(Server.prototype, "listen");
	const faults: unknown[] = [];
	const { url, close } = await listen(
		new H3().get("/", () => "ok"),
		{
			port: 0,
			host: "127.0.0.1",
			onFault: (error) => faults.push(error),
		},
	);
	onTestFinished(close);
	const server = listening.mock.contexts[0] as Server;
	// Node does this when it runs out of file descriptors.
	const fault = Object.assign(new Error("accept EMFILE"), { code: "EMFILE" });
	server.emit("error", fault);
	expect(faults).toEqual([fault]);
	expect(await (await fetch(url)).text()).toBe("ok");
});

test("an idle connection outlives a proxy's 60 s, and a request may begin at its last moment", async () => {
	const listening = vi.spyOn(Server.prototype, "listen");
	const { close } = await listen(new H3(), { port: 0, host: "127.0.0.1" });
	onTestFinished(close);
	const server = listening.mock.contexts.at(-1) as Server;
	expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
	expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
});

test("a client that does not read is cut off, and one that waits for its answer is not", async () => {
	let answerLate = (_body: string) => {};
	const late = new Promise<string>((resolve) => {
		answerLate = resolve;
	});
	const app = new H3()
		.get("/large", () => "x".repeat(64 * 1024 * 1024))
		.get("/late", () => late);
	const { url, close } = await listen(app, {
		port: 0,
		host: "127.0.0.1",
		stalledMs: 50,
	});
	onTestFinished(close);
	const open = async (path: string) => {
		const socket = connect(Number(new URL(url).port), "127.0.0.1");
		await once(socket, "connect");
		socket.on("error", () => {});
		socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
		return socket;
	};
	const patient = await open("/late");
	const deaf = await open("/large");
	await expect.poll(async () => (await fetch(`${url}/large`)).status).toBe(200);
	// A write shows that the other end is gone.
	const probe = setInterval(() => deaf.write("\r\n"), 20);
	onTestFinished(() => clearInterval(probe));
	await new Promise((resolve) => deaf.once("close", resolve));
	answerLate("at last");
	const [answer] = await once(patient, "data");
	expect(String(answer)).toContain("at last");
	patient.destroy();
});
