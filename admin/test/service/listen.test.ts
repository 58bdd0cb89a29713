import { Server } from "node:http";
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
