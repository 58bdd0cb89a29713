/* The packed receiver in each runtime: its cases, the token vectors, its stores, and what `partnerwire torture` tries. */
import { beforeAll, describe, expect, test } from "vitest";
import { RUNTIMES, runSuites } from "#kit/platforms/runtimes.ts";
import { installPacked } from "#kit/program/install-packed.ts";
import { runTorture } from "../../admin/src/torture/run-torture.ts";

const SECRET = "0b7a7c52-31a4-4f6d-8a11-5c1f3d2e4b60";

const RECEIVER = `
import { createReceiver } from "@partnerwire/receiver";
const receiver = createReceiver({ secret: "${SECRET}", bodyTimeoutMs: 400, log() {} }).on("*", () => {});
`;

let project = "";
beforeAll(async () => {
	project = await installPacked(["@partnerwire/receiver"]);
}, 300_000);

describe.each(RUNTIMES)("$name", (runtime) => {
	test("the cases, the token vectors and the store in memory", async () => {
		const { passed, failures } = await runSuites(runtime, project, [
			"receiver/test/cases-on-fetch.ts",
			"receiver/test/vectors.test.ts",
		]);
		expect(failures).toEqual([]);
		expect(passed).toBeGreaterThan(300);
	});

	test("passes what torture tries, over sockets", async () => {
		const url = await runtime.serve(project, RECEIVER);
		const results = await runTorture({ url, secret: SECRET });
		expect(results.filter(({ passed }) => !passed)).toEqual([]);
	});
});

/** The SQLite that each runtime brings. */
const SQLITE = {
	"Node 22": 'import { DatabaseSync as Database } from "node:sqlite";',
	"Node 24": 'import { DatabaseSync as Database } from "node:sqlite";',
	Bun: 'import { Database } from "bun:sqlite";',
	Deno: 'import { DatabaseSync as Database } from "node:sqlite";',
};

const STORE_SUITE = `
import { join } from "node:path";
import { sqliteStore } from "@partnerwire/receiver/sqlite";
import { describeDedupStore } from "@partnerwire/receiver/testing";
import { describe, it, runTests } from "vitest";

let files = 0;
function openTwo(clock) {
	const file = join(process.cwd(), "store-" + ++files + ".db");
	const [one, two] = [1, 2].map(() => new Database(file, { strict: true }));
	const [store, peer] = [one, two].map((client) => sqliteStore(client, { clock: clock.now }));
	return { one, store, peer };
}

async function run() {
	describeDedupStore("sqlite", openTwo, { describe, it }, { hasPeer: true });
	it("waits while another connection writes", async () => {
		const { one, peer } = openTwo({ now: () => 0 });
		one.exec("BEGIN IMMEDIATE");
		const request = { fingerprint: "v1:a", deliveryId: null, entityId: null, sequence: null, supersedes: false, leaseMs: 1000 };
		const claim = peer.claim(request);
		one.exec("COMMIT");
		const { state } = await claim;
		if (state !== "claimed") throw new Error(state);
	});
	return runTests();
}`;

describe.each(Object.entries(SQLITE))("%s", (name, imported) => {
	test("sqliteStore takes the SQLite that the runtime brings", async () => {
		const runtime = RUNTIMES.find((each) => each.name === name);
		const report = await runtime?.call(project, imported + STORE_SUITE);
		expect(report).toEqual({ passed: 17, failures: [] });
	});
});
