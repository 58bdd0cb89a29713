// A real standby that answers lists: what it is asked, how old its answers are, and when the primary answers instead.

import { eq } from "drizzle-orm";
import { createMetrics } from "partnerwire";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
	openPostgres,
	openStandby,
	type PostgresServer,
} from "#kit/database/postgres.ts";
import { type Api, openApi } from "#kit/program/api.ts";
import { toReason } from "#kit/to-reason.ts";
import {
	ask,
	BY_PRIMARY,
	openAddress,
	openReadingStore,
	withStandby,
} from "../support/read-replica.ts";
import { createPartner } from "../support/records.ts";

const HEADER = "partnerwire-read-staleness";

let primary: PostgresServer;
let standby: PostgresServer;
beforeAll(async () => {
	primary = await openPostgres(["fsync=off"]);
	standby = await openStandby(primary, [
		"fsync=off",
		"max_standby_streaming_delay=0",
	]);
});
afterAll(async () => {
	await standby?.close();
	await primary?.close();
});

const toUrl = () => withStandby(primary.url, standby.url);
const openReading = () => openReadingStore(toUrl());

const pause = () => standby.pool.query("select pg_wal_replay_pause()");
const resume = () => standby.pool.query("select pg_wal_replay_resume()");

test("a list comes from the standby with its staleness; a record, a list with no-cache and a key come from the primary", async () => {
	const metrics = createMetrics();
	const api: Api = await openApi({
		database: toUrl(),
		secretKey: "ab".repeat(32),
		metrics,
		onReplicaChange: () => {},
	});
	onTestFinished(() => api.close());
	metrics.watch(api.service);
	const list = async (headers: Record<string, string> = {}) => {
		const path = "/v1/partners?search=Newcomer";
		const answer = await api.request("GET", path, { headers });
		return {
			found: answer.body.data.map(({ uuid }: { uuid: string }) => uuid),
			staleness: answer.headers.get(HEADER),
		};
	};
	await expect.poll(async () => (await list()).staleness).toMatch(/^\d\.\d$/);
	await pause();
	onTestFinished(async () => {
		await resume();
	});
	const { uuid } = await createPartner(api, { name: "Newcomer" });
	expect(await list()).toMatchObject({
		found: [],
		staleness: expect.stringMatching(/^\d\.\d$/),
	});
	for (const value of ["no-cache", "max-age=0, No-Cache"])
		expect(await list({ "cache-control": value })).toEqual({
			found: [uuid],
			staleness: null,
		});
	const one = await api.call("getPartner", { params: { uuid } });
	expect([one.status, one.headers.get(HEADER)]).toEqual([200, null]);
	const account = await api.request("GET", "/v1/account");
	expect(account.headers.get(HEADER)).toBeNull();
	const body = { label: "New", read: true, write: false };
	const key = await api.call("createApiKey", { body });
	const byNewKey = await api.request("GET", "/v1/partners", {
		key: key.body.key,
	});
	expect([byNewKey.status, byNewKey.headers.get(HEADER)]).toEqual([
		200,
		expect.stringMatching(/^\d\.\d$/),
	]);
	const shown = await (await fetch(`${api.url}/metrics`)).text();
	expect(shown).toMatch(/^partnerwire_read_replica_serving 1$/m);
	expect(shown).toMatch(/^partnerwire_read_replica_staleness_seconds \d/m);
	await resume();
	await expect.poll(async () => (await list()).found).toEqual([uuid]);
});

test("a standby that stays behind is passed over until it has caught up, and each change is reported once", async () => {
	const { store, changes, forward, serves } = await openReading();
	await serves();
	expect(await ask(store)).toMatchObject({ byStandby: true });
	await pause();
	onTestFinished(async () => {
		await resume();
	});
	await store.write((db) =>
		db.query.insert(db.tables.setting).values({ name: "late", value: "x" }),
	);
	forward(4000);
	const { byStandby, stalenessMs } = await ask(store);
	expect(byStandby).toBe(true);
	expect(stalenessMs).toBeGreaterThanOrEqual(4000);
	forward(6500);
	for (let times = 0; times < 5; times++)
		expect(await ask(store)).toEqual(BY_PRIMARY);
	const behind = {
		serves: false,
		replica: `postgres://127.0.0.1:${standby.port}/postgres`,
		why: "is more than 10 s behind",
	};
	await expect.poll(() => changes.slice(1)).toEqual([behind]);
	await resume();
	await serves();
	expect(await ask(store)).toMatchObject({ byStandby: true });
	expect(changes.map((change) => change.serves)).toEqual([true, false, true]);
});

test("while the standby is stopped the primary answers, also from the start on, and afterwards the standby again", async () => {
	const running = await openReading();
	await running.serves();
	await standby.stop();
	for (let times = 0; times < 5; times++)
		expect(await ask(running.store)).toEqual(BY_PRIMARY);
	const started = await openReading();
	expect(await ask(started.store)).toEqual(BY_PRIMARY);
	await standby.start();
	for (const { store, serves, changes } of [running, started]) {
		await serves();
		expect(await ask(store)).toMatchObject({ byStandby: true });
		const away = changes.filter((change) => !change.serves);
		expect(away).toEqual([
			expect.objectContaining({
				why: expect.stringContaining("cannot be used"),
			}),
		]);
	}
});

test("a read that the standby ends because it holds up replay is answered by the primary, and the next one by the standby", async () => {
	const { store, changes, serves } = await openReading();
	const { pool } = primary;
	await pool.query("insert into setting values ('gone', 'x')");
	await serves();
	const where: (boolean | undefined)[] = [];
	await store.readSnapshot(
		async ({ postgres }) => {
			const [row] =
				(await postgres?.<{ is: boolean }>(
					"in_recovery",
					"select pg_is_in_recovery() as is",
					[],
				)) ?? [];
			where.push(row?.is);
			if (!row?.is) return;
			await pool.query("delete from setting where name = 'gone'");
			await Promise.all([
				postgres?.("sleeping", "select pg_sleep(60)", []),
				pool.query("vacuum setting"),
			]);
		},
		() => {},
	);
	expect(where).toEqual([true, false]);
	expect(await ask(store)).toMatchObject({ byStandby: true });
	expect(changes.map((change) => change.serves)).toEqual([true]);
});

test("a read that fails on the standby is answered by the primary, and one whose time was up is not run again there", async () => {
	const { store, serves } = await openReadingStore(
		`${toUrl()}&statement_timeout_ms=1000`,
	);
	await serves();
	let runs = 0;
	const refusing = store.readSnapshot(
		async () => {
			runs++;
			if (runs === 1) throw new Error("the standby has no such record");
			return "found";
		},
		() => {},
	);
	expect([await refusing, runs]).toEqual(["found", 2]);
	const slow = store.readSnapshot(
		async ({ postgres }) => {
			runs++;
			await postgres?.("sleeping", "select pg_sleep(60)", []);
		},
		() => {},
	);
	expect(await toReason(slow)).toMatch(/57014/);
	expect(runs).toBe(3);
});

test("a standby that hangs is passed over, and answers again when it can", async () => {
	const address = await openAddress(standby.port);
	const { store, changes, serves } = await openReadingStore(
		withStandby(primary.url, address.url),
	);
	await serves();
	address.hang();
	expect(await ask(store)).toEqual(BY_PRIMARY);
	expect(changes.at(-1)).toMatchObject({ serves: false });
	address.leadTo(standby.port);
	await serves();
	expect(await ask(store)).toMatchObject({ byStandby: true });
});

test("an address that leads to another standby, which is further behind, gives no older answer than it says", async () => {
	const behind = await openStandby(primary, ["fsync=off"]);
	onTestFinished(() => behind.close());
	await behind.pool.query("select pg_wal_replay_pause()");
	const address = await openAddress(standby.port);
	const { store, serves } = await openReadingStore(
		withStandby(primary.url, address.url),
	);
	await store.write((db) =>
		db.query.insert(db.tables.setting).values({ name: "moved", value: "x" }),
	);
	const writtenAt = performance.now();
	await serves();
	await expect
		.poll(() => performance.now() - (store.replica?.stalenessMs() ?? 0))
		.toBeGreaterThan(writtenAt);
	address.leadTo(behind.port);
	for (let times = 0; times < 5; times++) {
		const found = await store.readSnapshot(
			({ query, tables: { setting } }) =>
				query.select().from(setting).where(eq(setting.name, "moved")),
			() => {},
		);
		expect(found).toHaveLength(1);
	}
});
