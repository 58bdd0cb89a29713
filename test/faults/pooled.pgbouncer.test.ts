import { openStore, type Store } from "@partnerwire/core";
import { sql } from "drizzle-orm";
import { expect, inject, onTestFinished, test } from "vitest";
import { newDatabase } from "../kit/database/database.ts";
import { onDatabase } from "../kit/database/database-client.ts";
import { openPgbouncer } from "../kit/database/pgbouncer.ts";
import { toReason } from "../kit/to-reason.ts";

const direct = (url: string) => {
	const { host } = new URL(inject("directPostgres"));
	const way = new URL(url);
	way.host = host;
	return way.toString();
};

/** Settings that an administrator may choose: for a parameter that PgBouncer does not know, and for the server's own timeout. */
const SETTINGS: [what: string, settings: string[], ownMs: number][] = [
	["refuses", [], 0],
	["ignores", ["ignore_startup_parameters = statement_timeout"], 0],
	["refuses, as the server has its own,", [], 800],
];

test.each(SETTINGS)(
	"through a PgBouncer that %s the statement timeout of a connection the server ends reads and writes",
	async (_, settings, ownMs) => {
		const url = await newDatabase();
		const name = new URL(url).pathname.slice(1);
		const setOwn = (ms: number) =>
			onDatabase(direct(url), (client) =>
				client.query(`alter database ${name} set statement_timeout = ${ms}`),
			);
		await setOwn(ownMs);
		const pooler = await openPgbouncer(inject("directPostgres"), { settings });
		const database = pooler.through(url);
		const store = await openStore(`${database}&statement_timeout_ms=1000`);
		onTestFinished(async () => {
			await store.close();
			await pooler.close();
			await setOwn(0);
		});
		const slow = (db: Store["read"]) =>
			db.query.select({ x: sql`pg_sleep(60)` }).from(sql`(values (1)) as v`);
		// The server itself reports that no query runs.
		for (const attempt of [
			() => slow(store.read),
			() => store.write((db) => slow(db)),
		])
			expect(await toReason(attempt())).toMatch(/57014/);
		const { company } = store.tables;
		expect(await store.read.query.select().from(company)).toEqual([]);
	},
);

test("nothing is left in a session that another client gets", async () => {
	const database = await newDatabase();
	const store = await openStore(database);
	const { setting } = store.tables;
	await Promise.all(
		Array.from({ length: 20 }, (_, n) =>
			store.write(
				async ({ query }) => {
					await query.insert(setting).values({ name: `n${n}`, value: "" });
					await store.read.query.select().from(setting);
				},
				n % 2 ? "company" : undefined,
			),
		),
	);
	store.wake();
	await store.close();
	for (let times = 0; times < 5; times++)
		await onDatabase(database, async (client) => {
			const { rows } = await client.query(
				`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
					current_setting('idle_in_transaction_session_timeout') as idle,
					(select count(*)::int from pg_prepared_statements) as prepared,
					(select count(*)::int from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())) as locks,
					(select count(*)::int from pg_listening_channels()) as channels`,
			);
			expect(rows).toEqual([
				{
					statement: "0",
					lock: "0",
					idle: "0",
					prepared: 0,
					locks: 0,
					channels: 0,
				},
			]);
		});
});

test("ten processes that start at once through it migrate an empty database once", async () => {
	const server = inject("directPostgres");
	const name = `pooled_${process.pid}_${Date.now()}`;
	await onDatabase(server, (client) => client.query(`create database ${name}`));
	const url = new URL(inject("postgres"));
	url.pathname = name;
	const stores = await Promise.all(
		Array.from({ length: 10 }, () => openStore(url.toString())),
	);
	await Promise.all(stores.map((store) => store.close()));
	await onDatabase(server, (client) =>
		client.query(`drop database ${name} with (force)`),
	);
});

test("who listens directly hears who writes through it", async () => {
	const database = await newDatabase();
	const listening = new URL(database);
	listening.searchParams.set("listen_url", direct(database));
	const [ears, mouth] = [
		await openStore(listening.toString()),
		await openStore(database),
	];
	const woken = new Promise<void>((resolve) => ears.onWake(resolve));
	const timer = setInterval(() => mouth.wake(), 50);
	await woken;
	clearInterval(timer);
	await ears.close();
	await mouth.close();
});
