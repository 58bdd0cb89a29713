import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** A receiver that answers every request with the same status. */
async function openReceiver(status: number): Promise<string> {
	const server = createServer((request, response) => {
		request.resume().on("end", () => response.writeHead(status).end("busy"));
	});
	await new Promise<void>((resolve) =>
		server.listen(0, "127.0.0.1", () => resolve()),
	);
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

test("deliveries list, show, skip and redeliver; the ledger adds up, and exits with 1 when a row is gone", async () => {
	const folder = createTempFolder();
	const { client, url, keys } = await startDemoService(folder, {
		args: ["--allow-network", "127.0.0.0/8", "--pass-after", "60"],
	});
	await client.createIntegration({
		body: { label: "CRM", webhook_url: await openReceiver(503) },
	});
	const env = { PARTNERWIRE_API_KEY: keys.full, PARTNERWIRE_URL: url };
	const run = (...args: string[]) => runPartnerwire(args, { env });
	const lead = await client.createLead({
		body: { partnership_uuid: await findPartnership(client) },
	});
	await client.updateLead({
		params: { uuid: lead.uuid },
		body: { company_name: "Globex" },
	});
	await expect
		.poll(async () => (await client.listWebhookEvents()).data.at(-1))
		.toMatchObject({ attempt_count: 1 });

	const listed = await run("deliveries", "list", "--json");
	const [second, first] = listed.stdout
		.trim()
		.split("\n")
		.map((line) => JSON.parse(line));
	expect(first).toMatchObject({ sequence: 1, waiting_for: "overload_floor" });
	expect(second).toMatchObject({ sequence: 2, waiting_for: "lane" });
	const none = await run("deliveries", "list", "--status", "delivered");
	expect(none).toMatchObject({ code: 0, stdout: "no deliveries\n" });
	const wrong = await run("deliveries", "list", "--status", "lost");
	expect(wrong.code).toBe(2);

	const shown = await run("deliveries", "show", first.uuid);
	expect(shown.stdout).toContain("lead_created #1");
	expect(shown.stdout).toContain("server_error (status)");
	expect(shown.stdout).toContain("The receiver failed");
	expect(shown.stdout).toContain(first.next_attempt_at);
	const behind = await run("deliveries", "show", second.uuid);
	expect(behind.stdout).toContain(first.uuid);

	const skipped = await run("deliveries", "skip", first.uuid, "--json");
	expect(JSON.parse(skipped.stdout)).toMatchObject({ status: "dropped" });
	expect((await run("deliveries", "skip", first.uuid)).code).toBe(1);
	const again = await run("deliveries", "redeliver", first.uuid, "--fresh");
	expect(again).toMatchObject({ code: 0 });
	expect(again.stdout).toContain("#3");

	const ledger = await run("ledger", "--json");
	expect(ledger.code).toBe(0);
	expect(JSON.parse(ledger.stdout)).toMatchObject({
		matched: 3,
		dropped: 1,
		balanced: true,
	});
	const file = new Sqlite(join(folder, "test.db"), { timeout: 10_000 });
	file.pragma("foreign_keys = off");
	file.prepare("delete from delivery where uuid = ?").run(first.uuid);
	file.close();
	const broken = await run("ledger");
	expect(broken.code).toBe(1);
	expect(broken.stdout).toContain("1 of 3 events have no delivery");
	expect(broken.stderr).toContain("does not add up");
});

test("settings of the dispatcher are checked before anything is opened", async () => {
	const refused = async (...args: string[]) => {
		const { code, stderr } = await runPartnerwire(["worker", ...args]);
		expect(code).toBeGreaterThan(0);
		return stderr;
	};
	expect(await refused("--allow-network", "10.0.0.0/99")).toContain(
		"--allow-network must be CIDR blocks",
	);
	expect(await refused("--omit-claims", "exp")).toContain(
		"jti, payload_sha256, sequence",
	);
	expect(await refused("--log-level", "loud")).toContain("must be one of");
	const folder = createTempFolder();
	const nothing = join(folder, "missing.pem");
	expect(
		await refused("--database", join(folder, "test.db"), "--ca", nothing),
	).toContain("cannot be read");
});
