import { expect, test } from "vitest";
import { freePort } from "#kit/free-port.ts";
import { openRateStore } from "../../../src/http/rate-store.ts";

test.each(["redis://:hunter2@127.0.0.1", "postgres://u:hunter2@127.0.0.1"])(
	"a store that is away is told once, with the reason: %s",
	async (address) => {
		const told: unknown[] = [];
		const store = await openRateStore(
			`${address}:${await freePort()}/0`,
			(error) => told.push(error),
		);
		const limit = store?.createLimit("request", 5);
		for (let time = 0; time < 3; time++)
			expect(await limit?.("key")).not.toBe(null);
		await store?.close();
		expect(told.length).toBe(1);
		expect(String((told[0] as Error).message)).toMatch(/ECONNREFUSED|closed/);
		expect(JSON.stringify(told)).not.toContain("hunter2");
	},
);
