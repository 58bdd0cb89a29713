import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { newDatabase, tamper } from "#kit/database/database.ts";
import { freePort } from "#kit/free-port.ts";
import { openRateStore } from "../../../src/http/rate-store.ts";

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

/** A way to a server that can be shut: connections are refused, or end. */
function createDoor(to: string) {
	const { port, hostname } = new URL(to);
	const open = new Set<Socket>();
	const server = createServer((socket) => {
		const target = connect(Number(port), hostname);
		for (const one of [socket, target]) {
			open.add(one);
			one.on("error", () => {}).on("close", () => open.delete(one));
		}
		socket.pipe(target).pipe(socket);
	});
	return {
		async open(at: number) {
			server.listen(at, "127.0.0.1");
			await once(server, "listening");
		},
		async shut() {
			server.close();
			for (const socket of open) socket.destroy();
			await once(server, "close");
		},
	};
}

test("a store that is away when the process starts is used once it is there, and again after it was away", async () => {
	const database = new URL(await newDatabase());
	const door = createDoor(database.toString());
	const port = await freePort();
	const through = new URL(database);
	through.port = String(port);
	const early = await openRateStore(through.toString());
	const limit = early?.createLimit("request", 2);
	expect(await limit?.("key"), "alone").toMatchObject({ remaining: 1 });
	await door.open(port);
	const later = await openRateStore(database.toString());
	const shared = later?.createLimit("request", 2);
	expect(await shared?.("key")).toMatchObject({ remaining: 1 });
	expect(await limit?.("key"), "together").toMatchObject({ remaining: 0 });
	expect(await shared?.("key")).toMatchObject({ isExceeded: true });
	await door.shut();
	expect(await limit?.("other"), "alone").toMatchObject({ remaining: 1 });
	await door.open(port);
	expect(await limit?.("key"), "together").toMatchObject({ isExceeded: true });
	await tamper(database.toString(), "drop table rate_limit");
	await limit?.("key");
	expect(await limit?.("key"), "a new table").toMatchObject({ remaining: 1 });
	await early?.close();
	await later?.close();
	await door.shut();
});

test("a server that refuses the password is reported at the start, without it", async () => {
	const database = new URL(await newDatabase());
	database.password = "not-the-password";
	const opening = openRateStore(database.toString());
	await expect(opening).rejects.toThrow(/refuses the password/);
	await expect(opening).rejects.not.toThrow(/not-the-password/);
});
