import type { Receiver } from "@partnerwire/receiver";
import {
	postgresStore,
	postgresStoreSchema,
} from "@partnerwire/receiver/postgres";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";
import { blocksOf, openBlocks } from "../helpers/doc-blocks.ts";
import { expectOnce } from "../helpers/expect-once.ts";
import { openStore } from "../helpers/open-store.ts";
import {
	claimOf,
	describeSharedStore,
	newSpace,
} from "../helpers/shared-store-suite.ts";

const { run } = openBlocks();
let server: Awaited<ReturnType<typeof openPostgres>>;
beforeAll(async () => {
	server = await openPostgres();
});
afterAll(() => server?.close());

describeSharedStore(["pg", "postgres.js"], () => server.url);

describe("the schema of the PostgreSQL store", () => {
	test("is made once by twenty that begin at the same time", async () => {
		const table = newSpace();
		const opened = await Promise.all(
			Array.from({ length: 20 }, (_, index) =>
				openStore({
					client: index % 2 ? "pg" : "postgres.js",
					at: server.url,
					space: table,
					clock: undefined,
				}),
			),
		);
		const results = await Promise.all(
			opened.map(({ store }) => store.claim(claimOf("a"))),
		);
		expect(results.filter(({ state }) => state === "claimed").length).toBe(1);
		for (const { close } of opened) await close();
	});

	test("can be made elsewhere, for a role that may not create", async () => {
		await server.pool.query("create schema hooks");
		await server.pool.query(postgresStoreSchema("hooks.seen"));
		await server.pool.query(postgresStoreSchema("hooks.seen"));
		await server.pool.query(
			`create role receiver login password 'r'; grant usage on schema hooks to receiver;
			 grant select, insert, update, delete on hooks.seen to receiver`,
		);
		const at = server.url.replace("postgres:postgres@", "receiver:r@");
		const { store, close } = await openStore({
			client: "pg",
			at,
			space: "hooks.seen",
			clock: undefined,
		});
		expect((await store.claim(claimOf("a"))).state).toBe("claimed");
		const other = await openStore({
			client: "pg",
			at,
			space: "hooks.other",
			clock: undefined,
		});
		await expect(other.store.claim(claimOf("a"))).rejects.toThrow("permission");
		await close();
		await other.close();
	});

	test("a set-up that failed is tried again", async () => {
		let isDown = true;
		const store = postgresStore(
			{
				query: (text: string, values: unknown[]) =>
					isDown
						? Promise.reject(new Error("down"))
						: server.pool.query(text, values),
			},
			{ table: newSpace() },
		);
		await expect(store.ready()).rejects.toThrow("down");
		isDown = false;
		await store.ready();
		expect((await store.claim(claimOf("a"))).state).toBe("claimed");
	});

	test.each([
		"",
		"a b",
		'a"b',
		"a; drop table b",
		"a.b.c",
		"Upper",
		"1a",
		"x".repeat(41),
		undefined,
		null,
		7,
	])("refuses the table %s", (table) => {
		expect(() =>
			postgresStore(server.pool, { table: table as string }),
		).toThrow("table must be name or schema.name");
	});

	test.each([undefined, null, {}, "postgres://x", 1])(
		"refuses the client %s",
		(client) => {
			expect(() => postgresStore(client as never)).toThrow("a client of pg");
		},
	);
});

describe("the PostgreSQL store", () => {
	test("refuses an isolation level at which its lock would not help", async () => {
		const { store, close } = await openStore({
			client: "pg",
			at: `${server.url}?options=-c%20default_transaction_isolation%3Dserializable`,
			space: newSpace(),
			clock: undefined,
		});
		await expect(store.claim(claimOf("a"))).rejects.toThrow("read committed");
		await close();
	});

	test("says that it cannot purge, and claims all the same", async () => {
		const told: string[] = [];
		const store = postgresStore(
			{
				query: (text: string, values: unknown[]) =>
					text.includes("ctid")
						? Promise.reject(
								Object.assign(new Error("password=x"), { code: "42501" }),
							)
						: server.pool.query(text, values),
			},
			{ table: newSpace(), log: (message) => told.push(message) },
		);
		for (const id of ["a", "b"])
			expect((await store.claim(claimOf(id))).state).toBe("claimed");
		expect(told).toEqual([
			expect.stringMatching(/^postgresStore cannot .* \(42501\)\.$/),
		]);
	});

	test("purges what has expired", async () => {
		const table = newSpace();
		let now = 1_000;
		const store = postgresStore(server.pool, { table, clock: () => now });
		const claimed = await store.claim(claimOf("a"));
		if (claimed.state === "claimed") await store.commit(claimed.ticket, 1);
		now += 2;
		await postgresStore(server.pool, { table, clock: () => now }).claim(
			claimOf("b"),
		);
		const count = async () =>
			Number(
				(await server.pool.query(`select count(*) from ${table}`)).rows[0]
					.count,
			);
		while ((await count()) > 1) await new Promise(setImmediate);
		expect(await count()).toBe(1);
	});
});

test("the block of docs/receiver.md", async () => {
	process.env.DATABASE_URL = server.url;
	process.env.PARTNERWIRE_WEBHOOK_SECRET = TEST_SECRET;
	const { receiver, client } = await run<{
		receiver: Receiver;
		client: pg.Pool;
	}>(blocksOf("### PostgreSQL")[0]);
	await expectOnce(receiver);
	await client.end();
});
