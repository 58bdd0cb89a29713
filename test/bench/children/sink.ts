import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCalls } from "../kit/child.ts";

/** The receiver of all contenders of the delivery part. It reads each body, answers 200 and counts. */
let requests = 0;
let bytes = 0;
let thinkMs = 0;

const server = createServer((request, response) => {
	request.on("data", (chunk: Buffer) => {
		bytes += chunk.length;
	});
	request.on("end", () => {
		requests++;
		response.setHeader("content-type", "application/json");
		if (thinkMs === 0) response.end("{}");
		else setTimeout(() => response.end("{}"), thinkMs);
	});
});
server.keepAliveTimeout = 60_000;

const calls = {
	async listen() {
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", resolve),
		);
		const { port } = server.address() as AddressInfo;
		return `http://127.0.0.1:${port}`;
	},
	/** Sets how long each answer takes from now on. */
	think(ms: number) {
		thinkMs = ms;
	},
	/** The counts since the last `takeCounts`. */
	peekCounts: () => ({ requests, bytes }),
	/** Returns the counts since the last call. */
	takeCounts() {
		const counts = { requests, bytes };
		requests = 0;
		bytes = 0;
		return counts;
	},
};
export type Calls = typeof calls;

serveCalls(calls);
