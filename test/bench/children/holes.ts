import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { serveCalls } from "../kit/child.ts";

/** Bad endpoints: `/hole` accepts a request and never answers, `/drip` answers a byte a second. */
const server = createServer((request, response) => {
	if (request.url !== "/drip") return;
	response.writeHead(200, { "content-type": "application/json" });
	const drip = setInterval(() => response.write(" "), 1000);
	response.on("close", () => clearInterval(drip));
});

const calls = {
	async listen() {
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", resolve),
		);
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	},
};
export type Calls = typeof calls;

serveCalls(calls);
