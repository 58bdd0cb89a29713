import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@partnerwire/sdk";
import Sqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { newDatabase } from "../kit/database/database.ts";
import { onDatabase } from "../kit/database/database-client.ts";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const copyArgs = (from: string, to: string) => [
	...["copy", "--json", "--from", from, "--to", to],
];

/** Copies by the command line, and returns what its last line says. */
async function copy(
	from: string,
	to: string,
	env: Record<string, string> = {},
): Promise<Record<string, unknown>> {
	const ended = await runPartnerwire(copyArgs(from, to), { env });
	expect([ended.code, ended.stderr]).toEqual([0, ""]);
	return JSON.parse(ended.stdout.trim().split("\n").at(-1) as string);
}

/** Starts the service on a database, without delivering. */
async function serve(database: string, apiKey: string, secretKey: string) {
	const env = { PARTNERWIRE_SECRET_KEY: secretKey };
	const on = ["--database", database, "--dev", "--json"];
	const started = startPartnerwire(
		["serve", "--no-worker", "--port", "0", ...on],
		{ env },
	);
	const { url } = await started.line("ready");
	return {
		client: createClient({ baseUrl: String(url), apiKey }),
		stop: started.stop,
		async deliver() {
			const worker = startPartnerwire(["worker", ...on], { env });
			await worker.line("ready");
			return worker;
		},
	};
}

test("SQLite to PostgreSQL and back: what was pending goes out in order, and the ledger adds up", async () => {
	const folder = createTempFolder();
	const sqlite = join(folder, "test.db");
	const postgres = await newDatabase();
	const old = await startDemoService(folder, { args: ["--no-worker"] });
	const receiver = await openCountingReceiver();
	await old.client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const partnership_uuid = await findPartnership(old.client);
	const lead = await old.client.createLead({ body: { partnership_uuid } });
	const params = { uuid: lead.uuid };
	for (const company_name of ["A", "B", "C", "D"])
		await old.client.updateLead({ params, body: { company_name } });
	const ledger = await old.client.getWebhookLedger();
	expect(ledger).toMatchObject({ balanced: true, data: [{ pending: 5 }] });
	const pending = (await old.client.listWebhookEvents()).data;

	const early = await runPartnerwire(copyArgs(sqlite, postgres));
	expect([early.code, JSON.parse(early.stderr).message]).toEqual([
		1,
		expect.stringMatching(/is open in another process: stop every serve/),
	]);
	// Killed: its log (WAL) is left.
	await old.stop("SIGKILL");
	const key = readFileSync(`${sqlite}.key`, "utf8").trim();
	const copied = await copy(sqlite, postgres);
	expect(copied).toMatchObject({ event: "copied", rows: expect.any(Number) });

	const moved = await serve(postgres, old.keys.full, key);
	expect(await moved.client.getWebhookLedger()).toEqual(ledger);
	const worker = await moved.deliver();
	await receiver.events(5);
	expect([...receiver.bodies.keys()]).toEqual(
		pending.map(({ uuid }) => uuid).sort(),
	);
	await moved.client.createLead({ body: { partnership_uuid } });
	await receiver.events(6);
	expect(receiver.counts().requests).toBe(6);
	await expect
		.poll(() => moved.client.getWebhookLedger())
		.toMatchObject({ balanced: true, data: [{ delivered: 6 }] });

	const back = join(folder, "back.db");
	const env = { PARTNERWIRE_SECRET_KEY: key };
	const used = await runPartnerwire(copyArgs(postgres, back), { env });
	expect([used.code, JSON.parse(used.stderr).message]).toEqual([
		1,
		expect.stringMatching(/is in use: stop every serve and worker/),
	]);
	expect(used.stderr).not.toContain("postgres:postgres");
	expect(existsSync(back)).toBe(false);
	const after = await moved.client.getWebhookLedger();
	expect(await worker.stop()).toBe(0);
	expect(await moved.stop()).toBe(0);
	await copy(postgres, back, env);
	// The key came from the environment, so it is not written to the disk.
	expect(existsSync(`${back}.key`)).toBe(false);
	const again = await serve(back, old.keys.full, key);
	expect(await again.client.getWebhookLedger()).toEqual(after);
	await again.client.createLead({ body: { partnership_uuid } });
	const last = await again.deliver();
	await receiver.events(7);
	expect(await last.stop()).toBe(0);
	expect(await again.stop()).toBe(0);
});

const LEADS = 20_000;

/** A database with many leads, written past the service. */
async function makeLeads(): Promise<string> {
	const database = join(createTempFolder(), "test.db");
	const env = { PARTNERWIRE_DATABASE: database };
	const made = await runPartnerwire(["company", "create", "Acme"], { env });
	expect(made.code).toBe(0);
	const file = new Sqlite(database);
	file.function("fold", (text) => String(text ?? "").toLowerCase());
	const uuid = "'0190b1e0-0000-7000-8000-' || printf('%012x', i)";
	file.exec(
		`insert into partner (uuid, company_uuid, created_at, updated_at, name, partner_type)
			select '0190b1e0-0000-7000-9000-000000000000', uuid, 0, 0, 'Globex', 'referral' from company;
		insert into lead (uuid, company_uuid, created_at, updated_at, partnership_uuid, company_name, status)
			with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LEADS})
			select ${uuid}, company_uuid, i, i, uuid, 'Lead ' || i, 'new' from n, partner`,
	);
	file.close();
	return database;
}

const leadsOn = (database: string) =>
	onDatabase(database, async (client) => {
		const { rows } = await client.query(
			"select count(*)::int as leads, (select total::int from record_count where kind = 'lead') as counted from lead",
		);
		return rows[0];
	});

test("a copy that was killed in the middle leaves nothing, and the next one succeeds", async () => {
	const from = await makeLeads();
	const to = await newDatabase();
	const copying = startPartnerwire(copyArgs(from, to));
	// The rows are in the other database, and being compared.
	await copying.line("verified");
	expect(await copying.stop("SIGKILL")).toBeNull();
	expect(await leadsOn(to)).toEqual({ leads: 0, counted: null });
	await copy(from, to);
	expect(await leadsOn(to)).toEqual({ leads: LEADS, counted: LEADS });

	const back = join(createTempFolder(), "back.db");
	const args = copyArgs(from, back);
	const killed = startPartnerwire(args);
	await killed.line("verified");
	expect(await killed.stop("SIGKILL")).toBeNull();
	await copy(from, back);
	const file = new Sqlite(back, { readonly: true });
	expect(file.prepare("select count(*) from lead").pluck().get()).toBe(LEADS);
	file.close();
});
