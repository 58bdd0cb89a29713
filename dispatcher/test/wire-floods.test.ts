import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { listenHttp } from "./support/receivers.ts";
import { attempt, causeOf, openWire } from "./support/wires.ts";

const CHUNK = Buffer.alloc(256 * 1024, 120);
const GIGABYTE = 1024 ** 3;

/** A receiver that offers a gigabyte of body, as fast as it is taken, and notes how much it could write. */
async function offerGigabyte(status: number) {
	const sent = { bytes: 0, isCut: false };
	const receiver = await listenHttp((request, response) => {
		request.resume().on("end", async () => {
			response.writeHead(status, { "content-length": GIGABYTE });
			const closed = once(response, "close").then(() => {
				sent.isCut = !response.writableFinished;
			});
			while (!response.destroyed && sent.bytes < GIGABYTE) {
				const isTaken = response.write(CHUNK);
				sent.bytes += CHUNK.length;
				if (isTaken) await turn();
				else await Promise.race([once(response, "drain"), closed]);
			}
		});
	});
	return { ...receiver, sent };
}

it.each([
	[200, null],
	[500, ["server_error", "status", null]],
])(
	"reads at most 64 KiB of a gigabyte that follows a %i",
	async (status, cause) => {
		const receiver = await offerGigabyte(status);
		const result = await attempt(openWire(), receiver.url);
		expect(causeOf(result)).toEqual(cause);
		expect(result.responseBody).toBe("x".repeat(4096));
		await expect.poll(() => receiver.sent.isCut).toBe(true);
		// What the kernel's buffers took on the way, and no more.
		expect(receiver.sent.bytes).toBeLessThan(GIGABYTE / 16);
	},
);

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
	// On a machine without IPv6 the attempt fails, and says at what.
	if (isThere) expect(result.delivered).toBe(true);
	else expect(result.failure?.stage).toBe("connect");
});
