// A real standby that answers lists: what it is asked, how old its answers are, and when the primary answers instead.

import { openStore, type ReplicaChange, type Store } from "@partnerwire/core";
import { createMetrics } from "partnerwire";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
	openPostgres,
	openStandby,
	type PostgresServer,
} from "#kit/database/postgres.ts";
import { type Api, openApi } from "#kit/program/api.ts";
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

const toUrl = () =>
	`${primary.url}?read_url=${encodeURIComponent(standby.url)}`;

const pause = () => standby.pool.query("select pg_wal_replay_pause()");
const resume = () => standby.pool.query("select pg_wal_replay_resume()");

/** A store with a clock that a test can put forward, and with the changes that were reported. */
async function openReading() {
	let forwardMs = 0;
	const changes: ReplicaChange[] = [];
	const store = await openStore(toUrl(), {
		replica: {
			onChange: (change) => changes.push(change),
			now: () => performance.now() + forwardMs,
		},
	});
	onTestFinished(() => store.close());
	return {
		store,
		changes,
		forward(ms: number) {
			forwardMs += ms;
		},
		/** Waits until the standby answers. */
		serves: () => expect.poll(() => store.replica?.serves()).toBe(true),
	};
}

/** Whether a standby answered, by its own word, and the staleness that came with the answer. */
async function ask(store: Store) {
	let stalenessMs: number | null = null;
	const [row] = await store.readSnapshot(
		(db) =>
			db.postgres?.<{ is: boolean }>(
				"in_recovery",
				"select pg_is_in_recovery() as is",
				[],
			) ?? Promise.resolve([]),
		(ms) => {
			stalenessMs = ms;
		},
	);
	return { byStandby: row?.is, stalenessMs };
}
const BY_PRIMARY = { byStandby: false, stalenessMs: null };

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

test("a read that fails for its own reason is not run again on the primary", async () => {
	const { store, serves } = await openReading();
	await serves();
	let runs = 0;
	const failing = store.readSnapshot(
		async () => {
			runs++;
			throw new Error("its own reason");
		},
		() => {},
	);
	await expect(failing).rejects.toThrow("its own reason");
	expect(runs).toBe(1);
});
