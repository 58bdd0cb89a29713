import { createClient } from "@partnerwire/sdk";
import { beforeAll, expect, test } from "vitest";
import { newDatabase } from "../kit/database/database.ts";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import { findPartnership } from "../kit/program/demo-service.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";

const KEY = "0123456789abcdef".repeat(4);
let database: string;
let env: Record<string, string>;
beforeAll(async () => {
	database = await newDatabase();
	env = { PARTNERWIRE_DATABASE: database, PARTNERWIRE_SECRET_KEY: KEY };
});

async function run(...args: string[]): Promise<Record<string, unknown>[]> {
	const options = { env };
	const ended = await runPartnerwire([...args, "--json"], options);
	expect([ended.code, ended.stderr], args.join(" ")).toEqual([0, ""]);
	return ended.stdout
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
}

test("every command works on one PostgreSQL database, and what serve writes a worker elsewhere delivers", async () => {
	await run("company", "create", "Acme");
	const person = ["--email", "a@b.example", "--first-name", "Ada"];
	await run("user", "create", ...person, "--last-name", "Lovelace");
	const may = ["--label", "First", "--read", "--write"];
	const [key] = await run("key", "create", ...may);

	const args = ["--port", "0", "--json", "--dev", "--no-worker"];
	const serving = startPartnerwire(["serve", ...args], { env });
	const { url } = await serving.line("ready");
	const client = createClient({
		baseUrl: String(url),
		apiKey: String(key?.key),
	});
	const receiver = await openCountingReceiver();
	const webhook_url = receiver.url;
	await client.createIntegration({ body: { label: "CRM", webhook_url } });
	await client.createPartner({
		body: { name: "Globex", partner_type: "referral" },
	});
	const partnership_uuid = await findPartnership(client);
	for (let count = 0; count < 5; count++)
		await client.createLead({ body: { partnership_uuid } });
	expect(receiver.counts().requests).toBe(0);

	const worker = startPartnerwire(["worker", "--dev", "--json"], { env });
	await worker.line("ready");
	await receiver.events(6);
	// The other process is notified at once. It does not wait for its next poll.
	await client.createLead({ body: { partnership_uuid } });
	await receiver.events(7);
	expect(receiver.counts()).toEqual({ events: 7, requests: 7 });
	await expect
		.poll(async () => (await client.getWebhookLedger()).data[0])
		.toMatchObject({ delivered: 7, matched: 7, balanced: true });

	expect(await run("company", "module", "api_mcp", "on")).toEqual([
		{ id: "api_mcp", enabled: true },
	]);
	await run("key", "revoke", String(key?.uuid));
	await expect(client.listApiKeys()).rejects.toMatchObject({
		code: "unauthorized",
	});
	expect(await worker.stop()).toBe(0);
	expect(await serving.stop()).toBe(0);
});

test("the demo runs on PostgreSQL", async () => {
	const database = await newDatabase();
	const told: string[] = [];
	// The second time, the first time's records are there.
	for (let run = 0; run < 2; run++) {
		const ended = await runPartnerwire(
			["demo", "--once", "--port", "0", "--database", database, "--json"],
			{ env },
		);
		expect([ended.code, ended.stderr]).toEqual([0, ""]);
		told.push(ended.stdout);
	}
	for (const stdout of told) expect(stdout).toContain('"event":"ledger"');
	expect(told.map((stdout) => stdout.includes('"seeded"'))).toEqual([
		true,
		false,
	]);
});

test("a database's password is in no output, whatever is wrong", async () => {
	const wrong = new URL(database);
	wrong.password = "s3cret-password";
	const nowhere = new URL(wrong);
	nowhere.port = "1";
	const odd = new URL(wrong);
	odd.searchParams.set("pool_size", "many");
	// A server that refuses is a failure: 1, in one line. A value that names no database is wrong usage: 2, and a
	// second line names the help.
	for (const [url, code] of [
		[wrong, 1],
		[nowhere, 1],
		[odd, 1],
		["postgres://a:s3cret-password@[::1", 2],
	] as const)
		for (const [command, given] of [
			[["serve"], []],
			[
				["key", "list"],
				["--database", String(url)],
			],
		] as const) {
			const ended = await runPartnerwire([...command, ...given], {
				env: {
					PARTNERWIRE_SECRET_KEY: KEY,
					PARTNERWIRE_DATABASE: String(url),
				},
			});
			expect([String(url), ended.code]).toEqual([String(url), code]);
			expect(ended.stderr.trim().split("\n")).toHaveLength(code);
			expect(ended.stdout + ended.stderr).not.toContain("s3cret");
		}
	const started = await runPartnerwire(["serve"], {
		env: { PARTNERWIRE_DATABASE: database },
	});
	expect(started.code).toBe(1);
	expect(started.stderr).toMatch(/needs PARTNERWIRE_SECRET_KEY/);
});
