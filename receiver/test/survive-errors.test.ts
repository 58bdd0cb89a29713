import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createReceiver } from "@partnerwire/receiver";
import { toNodeHandler } from "@partnerwire/receiver/node";
import { postgresInbox, postgresStore } from "@partnerwire/receiver/postgres";
import { redisStore } from "@partnerwire/receiver/redis";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { expect, onTestFinished, test } from "vitest";

/** An emitter, as the clients of node-redis and pg are. Without a listener, its `error` ends the process. */
const createClient = () =>
	Object.assign(new EventEmitter(), {
		query: async () => ({ rows: [] }),
		eval: async () => null,
	});

test.each([
	["postgresStore", postgresStore],
	["postgresInbox", postgresInbox],
	["redisStore", redisStore],
] as const)(
	"a connection that breaks does not end the program of a %s",
	(_, open) => {
		const client = createClient();
		open(client);
		expect(() => client.emit("error", new Error("gone"))).not.toThrow();

		const watched = createClient();
		const seen: unknown[] = [];
		watched.on("error", (error) => seen.push(error));
		open(watched);
		watched.emit("error", "gone");
		expect(seen).toEqual(["gone"]);
		expect(watched.listenerCount("error")).toBe(1);
	},
);

test("an answer of the program's own, given meanwhile, is not followed by a second one", async () => {
	const handle = toNodeHandler(
		createReceiver({ secret: TEST_SECRET, log: () => {} }),
	);
	const handled: Promise<void>[] = [];
	const server = createServer((req, res) => {
		handled.push(handle(req, res));
		res.writeHead(503).end();
	}).listen(0, "127.0.0.1");
	onTestFinished(() => void server.close());
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const answer = await fetch(`http://127.0.0.1:${port}`, { method: "POST" });
	expect(answer.status).toBe(503);
	await expect(Promise.all(handled)).resolves.toEqual([undefined]);
});
