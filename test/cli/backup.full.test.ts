import { copyFileSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@partnerwire/sdk";
import { expect, test } from "vitest";
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

test("restore drill: a backup made under load opens elsewhere under the kept key, and delivers what was pending", async () => {
	const folder = createTempFolder();
	const service = await startDemoService(folder, {
		args: ["--no-worker", "--rate-limit", "0"],
	});
	const receiver = await openCountingReceiver();
	await service.client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const partnership_uuid = await findPartnership(service.client);
	const create = () =>
		service.client.createLead({ body: { partnership_uuid } });
	for (let count = 0; count < 10; count++) await create();

	const file = join(createTempFolder(), "backup.db");
	const database = ["--database", join(folder, "test.db")];
	const [ended] = await Promise.all([
		runPartnerwire(["backup", file, ...database]),
		...Array.from({ length: 20 }, create),
	]);
	expect([ended.code, ended.stderr]).toEqual([0, ""]);
	expect(ended.stdout).toMatch(/The key is not in it/);
	const again = await runPartnerwire(["backup", file, ...database]);
	expect([again.code, again.stderr]).toEqual([
		1,
		expect.stringMatching(/exists already; a backup overwrites nothing/),
	]);
	await service.stop("SIGKILL");

	const elsewhere = createTempFolder();
	const restored = join(elsewhere, "restored.db");
	copyFileSync(file, restored);
	const without = await runPartnerwire(["serve", "--database", restored]);
	expect(without.stderr).toMatch(/key file .* is missing; put it back/);
	copyFileSync(join(folder, "test.db.key"), `${restored}.key`);
	const serving = startPartnerwire([
		...["serve", "--dev", "--json", "--port", "0", "--database", restored],
	]);
	const { url } = await serving.line("ready");
	const client = createClient({
		baseUrl: String(url),
		apiKey: service.keys.full,
	});
	await receiver.events(10);
	await expect
		.poll(async () => (await client.getWebhookLedger()).data[0])
		.toMatchObject({ balanced: true, pending: 0, delivering: 0 });
	expect(await serving.stop()).toBe(0);
});

test.each([
	[["--database", "postgres://u:s3cret@h/d"], /pg_dump/],
	[["--database", "nowhere.db"], /there is no database nowhere\.db/],
])("backup %j is refused in one sentence", async (args, says) => {
	const cwd = createTempFolder();
	writeFileSync(join(cwd, "marker"), "");
	const ended = await runPartnerwire(["backup", "copy.db", ...args], { cwd });
	expect(ended.code).toBe(1);
	expect(ended.stderr).toMatch(says);
	expect(ended.stderr).not.toContain("s3cret");
	expect(readdirSync(cwd)).toEqual(["marker"]);
	expect(existsSync(join(cwd, "copy.db"))).toBe(false);
});
