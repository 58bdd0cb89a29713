import { expect, test } from "vitest";
import { newDatabase } from "../../shared/core/test/support/database.ts";
import { openRateStore } from "../src/http/rate-store.ts";

test("several processes that count in PostgreSQL share one limit, kind by kind, and forget what they take back", async () => {
	const database = await newDatabase();
	const stores = await Promise.all(
		Array.from({ length: 5 }, () => openRateStore(database)),
	);
	const limits = stores.map((store) => store?.createLimit("request", 7));
	const states = await Promise.all(
		Array.from({ length: 10 }, (_, n) => limits[n % 5]?.("key")),
	);
	expect(states.filter((state) => state?.isExceeded)).toHaveLength(3);
	expect(states.map((state) => state?.remaining).sort()).toEqual([
		...[0, 0, 0, 0, 1, 2, 3, 4, 5, 6],
	]);
	for (const state of states) {
		expect(state?.resetS).toBeGreaterThan(0);
		expect(state?.resetS).toBeLessThanOrEqual(60);
	}
	const other = await stores[0]?.createLimit("failure", 7)("key");
	expect(other).toMatchObject({ limit: 7, remaining: 6, isExceeded: false });
	for (let n = 0; n < 4; n++) await limits[0]?.forget("key");
	expect(await limits[1]?.("key")).toMatchObject({ isExceeded: false });
	expect(await stores[0]?.createLimit("request", 0)("key")).toBe(null);
	await Promise.all(stores.map((store) => store?.close()));
});

test("without its store each process counts for itself", async () => {
	const database = await newDatabase();
	const store = await openRateStore(database);
	const limit = store?.createLimit("request", 1);
	await store?.close();
	expect(await limit?.("key")).toMatchObject({ isExceeded: false });
	expect(await limit?.("key")).toMatchObject({ isExceeded: true });
});
