import { afterAll, beforeAll, expect, test } from "vitest";
import { openRedis, type RedisServer } from "#kit/database/redis-server.ts";
import { openRateStore } from "../../../src/http/rate-store.ts";

let server: RedisServer;
beforeAll(async () => {
	server = await openRedis();
});
afterAll(() => server.close());

test("several processes that count in Redis share one limit; without Redis each counts for itself", async () => {
	const stores = await Promise.all(
		Array.from({ length: 3 }, () => openRateStore(server.url)),
	);
	const limits = stores.map((store) => store?.createLimit("request", 5));
	const states = await Promise.all(
		Array.from({ length: 9 }, (_, n) => limits[n % 3]?.("key")),
	);
	expect(states.filter((state) => state?.isExceeded)).toHaveLength(4);
	expect(await limits[0]?.("other")).toMatchObject({
		remaining: 4,
		isExceeded: false,
	});
	await limits[1]?.forget("other");
	expect(await limits[2]?.("other")).toMatchObject({ remaining: 4 });
	await server.stop();
	expect(await limits[0]?.("key")).toMatchObject({ isExceeded: false });
	await Promise.all(stores.map((store) => store?.close()));
});
