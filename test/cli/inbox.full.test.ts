import { existsSync } from "node:fs";
import { join } from "node:path";
import { postgresInbox } from "@partnerwire/receiver/postgres";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../kit/database/postgres.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

let server: Awaited<ReturnType<typeof openPostgres>>;
beforeAll(async () => {
	server = await openPostgres();
});
afterAll(() => server?.close());

type Inbox = ReturnType<typeof sqliteInbox>;

/** Two dead events and one that waits. */
async function fill({ store }: Inbox): Promise<void> {
	for (const n of [1, 2, 3])
		await store.put({
			fingerprint: `v1:${n}`,
			deliveryId: `c/${n}`,
			entityId: `c/lead/${n}\u001b[2J`,
			sequence: n,
			supersedes: false,
			eventId: "lead_created",
			body: '{"lead":{"email":"private@example.com"}}',
			envelope: '{"claims":{"api_key":"hunter2"}}',
		});
	const taken = await store.take({
		eventIds: ["lead_created"],
		limit: 2,
		fence: "f",
		leaseMs: 60_000,
	});
	for (const item of taken)
		await store.settle(item, { state: "dead", ttlMs: 1, error: "Error: no" });
}

const run = async (args: string[], database: string) => {
	const { code, stdout, stderr } = await runPartnerwire(["inbox", ...args], {
		env: { PARTNERWIRE_DATABASE: database },
	});
	const lines = stdout.split("\n").filter((line) => line !== "");
	return { code, stdout, stderr, lines };
};

async function expectCommands(database: string): Promise<void> {
	const text = await run(["list", "--dead"], database);
	expect(text.lines.length).toBe(2);
	expect(text.lines[0]).toMatch(
		/^1 {2}dead .*lead_created .*attempts 1 .*Error: no$/,
	);
	for (const hidden of ["\u001b", "hunter2", "private"])
		expect(text.stdout).not.toContain(hidden);
	const json = await run(["list", "--json"], database);
	expect(json.lines.map((line) => JSON.parse(line))).toMatchObject([
		{
			id: 1,
			state: "dead",
			event_id: "lead_created",
			delivery_id: "c/1",
			attempts: 1,
			error: "Error: no",
		},
		{ id: 2, state: "dead" },
		{ id: 3, state: "pending", sequence: 3, attempts: 0, error: null },
	]);
	expect((await run(["list", "--limit", "1"], database)).lines.length).toBe(1);
	const one = await run(["retry", "1", "--json"], database);
	expect(one).toMatchObject({ code: 0, lines: ['{"retried":1}'] });
	const none = await run(["retry", "99"], database);
	expect(none).toMatchObject({ code: 1, stdout: "" });
	expect(none.stderr).toContain("no dead or waiting event 99");
	const rest = await run(["retry", "--dead"], database);
	expect(rest.stdout).toBe("1 event is due now; the receiver runs it\n");
	const stats = await run(["stats", "--json"], database);
	expect(JSON.parse(stats.stdout)).toMatchObject({
		pending: 3,
		processing: 0,
		done: 0,
		dead: 0,
		oldest_age_s: expect.any(Number),
	});
	expect((await run(["list", "--dead"], database)).stdout).toBe("no events\n");
}

describe("partnerwire inbox", () => {
	test("on a SQLite file", async () => {
		const path = join(createTempFolder(), "inbox.db");
		const inbox = sqliteInbox(path);
		await fill(inbox);
		await expectCommands(path);
		await inbox.close();
	});

	test("on a PostgreSQL URL", async () => {
		await fill(postgresInbox(server.pool));
		await expectCommands(server.url);
	});

	test("creates nothing, and shows no password", async () => {
		const path = join(createTempFolder(), "none.db");
		const missing = await run(["list"], path);
		expect(missing).toMatchObject({ code: 1, stdout: "" });
		expect(missing.stderr).toContain("there is no file");
		expect(existsSync(path)).toBe(false);
		for (const [url, words] of [
			[server.url.replace(":postgres@", ":hunter2@"), "cannot be used (28P01)"],
			["postgres://u:hunter2@127.0.0.1:1/x", "cannot be used (ECONNREFUSED)"],
		] as const) {
			const failed = await run(["list", "--table", "elsewhere"], url);
			expect(failed).toMatchObject({ code: 1, stdout: "" });
			expect(failed.stderr).toContain(words);
			expect(failed.stderr).not.toContain("hunter2");
		}
		const other = await run(["list", "--table", "elsewhere"], server.url);
		expect(other.stderr).toContain("has no table elsewhere");
	});

	test.each([
		[["retry"], "--dead for all"],
		[["retry", "1", "--dead"], "--dead for all"],
		[["retry", "x"], "the number must be a whole number"],
		[["list", "--limit", "0"], "--limit must be a whole number"],
		[["list", "--table", "a;b"], "--table must be a plain name"],
		[["list", "--deed"], "unknown flag --deed"],
		[
			["list", "--database", ":memory:"],
			"--database must be the path of a file",
		],
	])("%j is a usage error", async (args, words) => {
		const { code, stderr, stdout } = await run(args, "");
		expect(stderr).toContain(words);
		expect(stdout).toBe("");
		expect(code).toBe(2);
	});
});
