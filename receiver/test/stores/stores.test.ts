import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type ClaimRequest,
	type DedupStore,
	memoryStore,
} from "@partnerwire/receiver";
import { sqliteStore } from "@partnerwire/receiver/sqlite";
import {
	createTestClock,
	describeDedupStore,
	type TestClock,
} from "@partnerwire/receiver/testing";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import { expectOk } from "../cases/case.ts";
import { buildChild, openChildStore } from "../helpers/child-store.ts";
import { openWorld } from "../helpers/world.ts";

const folder = mkdtempSync(join(tmpdir(), "partnerwire-dedup-"));
let program = "";
beforeAll(async () => {
	// In this folder, so that the bundle finds better-sqlite3.
	program = await buildChild(mkdtempSync(join(import.meta.dirname, ".child-")));
});
afterAll(() => {
	rmSync(folder, { recursive: true });
	rmSync(join(program, ".."), { recursive: true });
});

let files = 0;
const newFile = () => join(folder, `dedup-${++files}.db`);

function openFile(file: string, clock: TestClock) {
	const client = new Database(file);
	client.pragma("journal_mode = WAL");
	client.pragma("busy_timeout = 0");
	return { client, store: sqliteStore(client, { clock: clock.now }) };
}

const runner = { describe, it };

describeDedupStore(
	"memory",
	(clock) => ({ store: memoryStore({ clock: clock.now }) }),
	runner,
);

describeDedupStore(
	"sqlite, two connections",
	(clock) => {
		const file = newFile();
		const one = openFile(file, clock);
		const two = openFile(file, clock);
		return {
			store: one.store,
			peer: two.store,
			close: () => {
				one.client.close();
				two.client.close();
			},
		};
	},
	runner,
	{ hasPeer: true },
);

describeDedupStore(
	"sqlite, two processes",
	async (clock, need) => {
		const file = newFile();
		const { client, store } = openFile(file, clock);
		if (!need.peer) return { store, close: () => void client.close() };
		const peer = await openChildStore(
			program,
			{ client: "better-sqlite3", at: file, space: "" },
			clock,
		);
		return {
			store,
			peer: peer.store,
			close: async () => {
				await peer.close();
				client.close();
			},
		};
	},
	runner,
	{ hasPeer: true },
);

/** Yields to other work until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
	while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

const request = (fingerprint: string): ClaimRequest => ({
	fingerprint,
	deliveryId: `c/${fingerprint}`,
	entityId: `c/deal/${fingerprint}`,
	sequence: 1,
	supersedes: false,
	leaseMs: 15_000,
});

describe("F03 a killed process", () => {
	test("its claim is taken over after the lease", async () => {
		const clock = createTestClock();
		const file = newFile();
		const { client, store } = openFile(file, clock);
		const peer = await openChildStore(
			program,
			{ client: "better-sqlite3", at: file, space: "" },
			clock,
		);
		expect((await peer.store.claim(request("a"))).state).toBe("claimed");
		peer.child.kill("SIGKILL");
		await peer.close();
		expect((await store.claim(request("a"))).state).toBe("running");
		clock.advance(15_000);
		expect((await store.claim(request("a"))).state).toBe("claimed");
		client.close();
	});
});

describe("F04 a copy in another process", () => {
	test("waits until the first is done, and never gets a premature 200", async () => {
		const clock = createTestClock();
		const file = newFile();
		const one = openFile(file, clock);
		const two = openFile(file, clock);
		const fetchAdapter = ADAPTERS[0] as (typeof ADAPTERS)[0];
		const first = await openWorld(fetchAdapter, { dedup: one.store });
		let asked = 0;
		const counting: DedupStore = {
			...two.store,
			claim: (claim) => {
				asked++;
				return two.store.claim(claim);
			},
		};
		const second = await openWorld(fetchAdapter, { dedup: counting });
		let finish = () => {};
		first.work = () =>
			new Promise<void>((resolve) => {
				finish = resolve;
			});
		const slow = first.send();
		await until(() => first.runs.length === 1);
		let answered = false;
		const copy = second.send().finally(() => {
			answered = true;
		});
		await until(() => asked === 2);
		expect(answered).toBe(false);
		finish();
		expectOk(await slow);
		expectOk(await copy, { duplicate: true });
		expect(second.runs.length).toBe(0);
		one.client.close();
		two.client.close();
	});
});

describe("F10 the memory store is bounded", () => {
	test("by count: the oldest done record goes, a running claim never", async () => {
		const store = memoryStore({ maxEntries: 3 });
		const running = await store.claim(request("running"));
		for (const name of ["a", "b", "c", "d"]) {
			const claimed = await store.claim(request(name));
			if (claimed.state === "claimed") await store.commit(claimed.ticket, 1e6);
		}
		expect(store.size).toBe(3);
		expect((await store.claim(request("running"))).state).toBe("running");
		expect((await store.claim(request("d"))).state).toBe("done");
		expect((await store.claim(request("a"))).state).toBe("claimed");
		expect(running.state).toBe("claimed");
	});

	test("by time: a write sweeps what has expired", async () => {
		const clock = createTestClock();
		const store = memoryStore({ clock: clock.now });
		for (let index = 0; index < 1_000; index++) {
			const claimed = await store.claim(request(String(index)));
			if (claimed.state === "claimed")
				await store.commit(claimed.ticket, 1_000);
		}
		expect(store.size).toBe(1_000);
		clock.advance(1_000);
		await store.claim(request("next"));
		expect(store.size).toBe(1);
	});
});

describe("the SQLite store", () => {
	test("purges what has expired, at most once a minute", async () => {
		const clock = createTestClock();
		const { client, store } = openFile(newFile(), clock);
		const count = () =>
			client.prepare("SELECT count(*) AS n FROM partnerwire_dedup").get();
		for (const name of ["a", "b"]) {
			const claimed = await store.claim(request(name));
			if (claimed.state === "claimed")
				await store.commit(claimed.ticket, 1_000);
		}
		clock.advance(59_000);
		await store.claim(request("c"));
		expect(count()).toEqual({ n: 3 });
		clock.advance(1_000);
		await store.claim(request("d"));
		expect(count()).toEqual({ n: 2 });
		client.close();
	});

	test("waits without blocking while another connection writes", async () => {
		const file = newFile();
		const clock = createTestClock();
		const { client, store } = openFile(file, clock);
		const writer = new Database(file);
		writer.exec("BEGIN IMMEDIATE");
		const claimed = store.claim(request("a"));
		expect(claimed).toBeInstanceOf(Promise);
		writer.exec("COMMIT");
		expect((await claimed).state).toBe("claimed");
		writer.close();
		client.close();
	});

	test("keeps its own table, and refuses a name that is none", () => {
		const client = new Database(":memory:");
		sqliteStore(client, { table: "hooks" });
		expect(() => sqliteStore(client, { table: "a; DROP TABLE b" })).toThrow(
			"plain name",
		);
		client.close();
	});

	test("passes on what is not a lock", () => {
		const { client, store } = openFile(newFile(), createTestClock());
		client.close();
		expect(() => store.claim(request("a"))).toThrow();
	});
});
