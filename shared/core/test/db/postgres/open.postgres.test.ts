// The store on PostgreSQL: opening, transactions, timeouts, wakes and lost connections.

import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@partnerwire/contract";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDatabase, tamper } from "#kit/database/database.ts";
import { onDatabase } from "#kit/database/database-client.ts";
import { toReason } from "#kit/to-reason.ts";
import { openPostgresStore } from "../../../src/db/postgres/open.ts";
import { newUuid, openStore, type Store } from "../../../src/index.ts";

let url: string;
let store: Store;
beforeAll(async () => {
	url = await newDatabase();
	store = await openStore(url);
});
afterAll(() => store.close());

const NOW = Date.UTC(2026, 10, 27);
const set = (name: string, value: string) => (db: Store["read"]) =>
	db.query
		.insert(db.tables.setting)
		.values({ name, value })
		.onConflictDoUpdate({ target: db.tables.setting.name, set: { value } });
const readValue = async (name: string, db = store.read) => {
	const { setting } = db.tables;
	const [row] = await db.query
		.select()
		.from(setting)
		.where(eq(setting.name, name));
	return row?.value;
};

test("ten processes that start at once on an empty database migrate it once", async () => {
	const server = new URL(url);
	server.pathname = "postgres";
	const name = `empty_${process.pid}`;
	await onDatabase(server.toString(), (client) =>
		client.query(`create database ${name}`),
	);
	const empty = new URL(url);
	empty.pathname = name;
	empty.searchParams.delete("options");
	const stores = await Promise.all(
		Array.from({ length: 10 }, () => openStore(empty.toString())),
	);
	await Promise.all(stores.map((one) => one.write(set("x", "1"))));
	await Promise.all(stores.map((one) => one.close()));
	await onDatabase(server.toString(), (client) =>
		client.query(`drop database ${name} with (force)`),
	);
});

test("a write is stored whole or not at all, and says what its work threw", async () => {
	const failed = store.write(async (db) => {
		await set("whole", "no")(db);
		throw new RangeError("never mind");
	});
	await expect(failed).rejects.toThrow(RangeError);
	expect(await readValue("whole")).toBe(undefined);
	expect(
		await store.write(async (db) => {
			await set("whole", "yes")(db);
			return readValue("whole", db);
		}),
	).toBe("yes");
	expect(await readValue("whole")).toBe("yes");
});

test("write() inside write() is refused, with and without a scope", async () => {
	for (const scope of [undefined, "a"])
		await expect(
			store.write(() => store.write(async () => {}), scope),
		).rejects.toThrow(/write\(\) inside write\(\)/);
});

test("a work that swallows a failed statement is not stored, and is told so", async () => {
	const swallowed = store.write(async (db) => {
		await set("swallowed", "1")(db);
		await db.query
			.select({ x: sql`1 / 0` })
			.from(db.tables.setting)
			.catch(() => {});
	});
	await expect(swallowed).rejects.toThrow(/had failed/);
	expect(await readValue("swallowed")).toBe(undefined);
});

test.each(["before", "after"])(
	"writes of one scope happen one after another, on all nodes; one that fails %s it changed something fails alone",
	async (when) => {
		const other = await openStore(url);
		await store.write(set("counter", "0"));
		const add = (on: Store, n: number) =>
			on.write(async (db) => {
				const before = Number(await readValue("counter", db));
				const fails = n % 10 === 3;
				if (fails && when === "before") throw new RangeError("not this one");
				await set("counter", String(before + 1))(db);
				if (fails) throw new RangeError("not this one");
				return before;
			}, "company");
		const outcomes = await Promise.allSettled(
			Array.from({ length: 60 }, (_, n) => add(n % 2 ? store : other, n)),
		);
		const before = outcomes.flatMap((one) =>
			one.status === "fulfilled" ? [one.value] : [],
		);
		expect(before.sort((a, b) => a - b)).toEqual(
			Array.from({ length: 54 }, (_, n) => n),
		);
		expect(await readValue("counter")).toBe("54");
		await other.close();
	},
);

test("two that insert the same at once: the second sees the first when it runs again", async () => {
	const uuid = newUuid(NOW);
	let runs = 0;
	let onBoth = () => {};
	const both = new Promise<void>((resolve) => {
		onBoth = resolve;
	});
	const insert = () =>
		store.write(async (db) => {
			const { company } = db.tables;
			const found = await db.query
				.select()
				.from(company)
				.where(eq(company.uuid, uuid));
			if (++runs === 2) onBoth();
			if (found.length > 0) return "found";
			await both;
			await db.query
				.insert(company)
				.values({ uuid, name: "Once", createdAt: NOW, updatedAt: NOW });
			return "inserted";
		});
	const answers = await Promise.all([insert(), insert()]);
	expect(answers.sort()).toEqual(["found", "inserted"]);
	expect(runs).toBe(3);
});

test("what is unique and stays so is a conflict in the end, not a fault", async () => {
	const row = {
		uuid: newUuid(NOW),
		name: "Twice",
		createdAt: NOW,
		updatedAt: NOW,
	};
	const insert = () =>
		store.write((db) => db.query.insert(db.tables.company).values(row));
	await insert();
	const error = await insert().catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(ApiError);
	expect(error).toMatchObject({ code: "conflict" });
});

test("a deadlock is tried again until both are stored", async () => {
	await store.write(set("left", "0"));
	await store.write(set("right", "0"));
	const bump = (first: string, second: string) =>
		store.write(async (db) => {
			for (const name of [first, second]) {
				const { setting } = db.tables;
				await db.query
					.update(setting)
					.set({ value: sql`(${setting.value}::int + 1)::text` })
					.where(eq(setting.name, name));
				await sleep(30);
			}
		});
	await Promise.all([bump("left", "right"), bump("right", "left")]);
	expect([await readValue("left"), await readValue("right")]).toEqual([
		"2",
		"2",
	]);
});

test("a statement that takes too long ends, in a write and in a read", async () => {
	const hasty = await openStore(`${url}&statement_timeout_ms=1000`);
	const slow = (db: Store["read"]) =>
		db.query.select({ x: sql`pg_sleep(60)` }).from(sql`(values (1)) as v`);
	// The code comes from the server, so the statement no longer runs there.
	for (const attempt of [() => hasty.write(slow), () => slow(hasty.read)])
		expect(await toReason(attempt())).toMatch(/57014/);
	await hasty.close();
});

test("wake is heard by the other processes, and again after LISTEN's connection was lost", async () => {
	const other = await openPostgresStore(url);
	const wokenBy = async (work: () => unknown) => {
		let stop = () => {};
		const woken = new Promise<void>((resolve) => {
			stop = other.onWake(resolve);
		});
		const timer = setInterval(work, 50);
		await woken;
		clearInterval(timer);
		stop();
	};
	await wokenBy(() => store.wake());
	const cut = `select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and query ilike 'listen%'`;
	// After a reconnect the store wakes its listeners, because they may have missed a wake.
	await tamper(url, cut);
	await wokenBy(() => {});
	await wokenBy(() => store.wake());
	await other.close();
});

test("a store closes while its listening connection is still being made", async () => {
	for (let times = 0; times < 5; times++) await (await openStore(url)).close();
});

test("connections that were cut are made anew, and what was under way is run again", async () => {
	const cut = `select pg_terminate_backend(pid) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()`;
	let runs = 0;
	await store.write(async (db) => {
		if (runs++ === 0) await tamper(url, cut);
		await set("after the cut", String(runs))(db);
	});
	expect(await readValue("after the cut")).toBe("2");
});

test.each([
	["postgres://x:s3cret@127.0.0.1:1/none", /cannot be reached/],
	["postgres://x:s3cret@host.invalid/none", /cannot be reached/],
	["postgres://x:s3cret@[::1/none", /cannot be parsed/],
	["postgres://x:s3cret@h/d?pool_size=0", /pool_size/],
	["postgres://x:s3cret@h/d?listen_url=h", /listen_url/],
	["postgres://x:s3cret@h/d?prepared_statements=1", /prepared_statements/],
])("%s is refused in one sentence without the password", async (bad, says) => {
	const error = (await openStore(bad).catch((thrown) => thrown)) as Error;
	expect(error).toMatchObject({ name: "StorageError" });
	expect(error.message).toMatch(says);
	expect(error.message).not.toContain("s3cret");
});

test("a wrong password and a database that is not there are told apart", async () => {
	const elsewhere = new URL(url);
	elsewhere.pathname = "nowhere";
	await expect(openStore(elsewhere.toString())).rejects.toThrow(
		/no database of that name/,
	);
	const wrong = new URL(url);
	wrong.password = "wr0ng";
	const error = (await openStore(wrong.toString()).catch(
		(thrown) => thrown,
	)) as Error;
	expect(error.message).toMatch(/refuses the password/);
	expect(error.message).not.toContain("wr0ng");
});
