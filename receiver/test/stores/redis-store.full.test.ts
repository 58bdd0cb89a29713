import type { Receiver } from "@partnerwire/receiver";
import { redisStore } from "@partnerwire/receiver/redis";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openRedis, type RedisServer } from "#kit/database/redis-server.ts";
import { blocksOf, openBlocks } from "../helpers/doc-blocks.ts";
import { expectOnce } from "../helpers/expect-once.ts";
import { describeOutages } from "../helpers/outage-suite.ts";
import {
	claimOf,
	describeSharedStore,
	newSpace,
} from "../helpers/shared-store-suite.ts";

const { run } = openBlocks();
let server: RedisServer;
beforeAll(async () => {
	server = await openRedis();
});
afterAll(() => server?.close());

const CLIENTS = ["ioredis", "node-redis"] as const;
describeSharedStore(CLIENTS, () => server.url);
describeOutages(CLIENTS, () => ({
	...server,
	stop: () => server.stop("SIGKILL"),
}));

describe("the Redis store", () => {
	test("every key has the prefix as its hash tag, and an end", async () => {
		const { Redis } = await import("ioredis");
		const client = new Redis(server.url, { keyPrefix: "app:" });
		const space = newSpace();
		const store = redisStore(client, { prefix: space });
		const claimed = await store.claim({ ...claimOf("a"), supersedes: true });
		if (claimed.state === "claimed") await store.commit(claimed.ticket, 60_000);
		const plain = new Redis(server.url);
		const keys = await plain.keys(`*${space}*`);
		expect(keys.sort()).toEqual(
			["delivery:c/a", "entity:c/deal/a", "payload:a", "sequence:c/deal/a"].map(
				(name) => `app:{${space}}:${name}`,
			),
		);
		for (const key of keys) expect(await plain.pttl(key)).toBeGreaterThan(0);
		client.disconnect();
		plain.disconnect();
	});

	test("a claim that the client sent twice is one claim", async () => {
		const { Redis } = await import("ioredis");
		const client = new Redis(server.url);
		const space = newSpace();
		const twice = redisStore(
			{
				call: client.call.bind(client),
				eval: async (script: string, count: number, ...rest: string[]) => {
					await client.eval(script, count, ...rest);
					return client.eval(script, count, ...rest);
				},
			},
			{ prefix: space },
		);
		expect((await twice.claim(claimOf("a"))).state).toBe("claimed");
		expect((await twice.claim(claimOf("a"))).state).toBe("running");
		client.disconnect();
	});

	test.each(["", "a b", "a{b}", "x".repeat(101), null, 7])(
		"refuses the prefix %s",
		(prefix) => {
			const client = { eval: async () => [] };
			expect(() => redisStore(client, { prefix: prefix as string })).toThrow(
				"prefix must be",
			);
		},
	);

	test.each([undefined, null, {}, "redis://x"])(
		"refuses the client %s",
		(client) => {
			expect(() => redisStore(client as never)).toThrow(
				"the client of ioredis",
			);
		},
	);
});

test("the block of docs/receiver.md", async () => {
	process.env.REDIS_URL = server.url;
	process.env.PARTNERWIRE_WEBHOOK_SECRET = TEST_SECRET;
	const { receiver, client } = await run<{
		receiver: Receiver;
		client: { disconnect(): void };
	}>(blocksOf("### Redis")[0]);
	await expectOnce(receiver);
	client.disconnect();
});
