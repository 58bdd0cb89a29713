import { expect, test } from "vitest";
import { openVerifiedReceiver } from "../kit/endpoints/verified-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("deliveries replay gives them back under the same jti, is listed and cancelled; purge removes them, and the ledger adds up", async () => {
	const { client, url, keys } = await startDemoService(createTempFolder());
	const receiver = await openVerifiedReceiver();
	const { id, integration_uuid } = await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	receiver.useSecret(integration_uuid);
	const partnership_uuid = await findPartnership(client);
	for (let lead = 0; lead < 3; lead++)
		await client.createLead({ body: { partnership_uuid } });
	await receiver.count(3);
	const delivered = async () =>
		(await client.getWebhookLedger()).data[0]?.delivered;
	await expect.poll(delivered).toBe(3);

	const env = { PARTNERWIRE_API_KEY: keys.full, PARTNERWIRE_URL: url };
	const run = async (...args: string[]) => {
		const words = ["deliveries", ...args, "--json"];
		const { code, stdout, stderr } = await runPartnerwire(words, { env });
		expect([code, stderr]).toEqual([0, ""]);
		return stdout
			.trim()
			.split("\n")
			.map((line) => JSON.parse(line));
	};
	const all = ["--integration", id, "--status", "delivered"];
	const [counted] = await run("replay", ...all, "--dry-run");
	expect(counted).toMatchObject({ uuid: null, counts: { matched: 3 } });
	const lines = await run("replay", ...all, "--rate", "1000");
	expect(lines.at(0)).toMatchObject({ status: "running" });
	expect(lines.at(-1)).toMatchObject({
		status: "completed",
		counts: { matched: 3, replayed: 3, skipped: 0, remaining: 0 },
	});
	await receiver.count(6);
	expect(new Set(receiver.arrived.map(({ claims }) => claims?.jti)).size).toBe(
		3,
	);
	await expect.poll(delivered).toBe(3);

	// A replay with held deliveries does not end before it is cancelled.
	const params = { integration_id: id };
	await client.pauseIntegration({ params, body: {} });
	const [slow] = await run("replay", ...all, "--rate", "1", "--no-wait");
	const [cancelled] = await run("cancel", slow.uuid);
	await client.resumeIntegration({ params });
	expect(cancelled).toMatchObject({ uuid: slow.uuid, status: "cancelled" });
	const listed = await run("replays");
	expect(listed.map(({ uuid }) => uuid)).toEqual([slow.uuid, lines.at(0).uuid]);
	await expect.poll(delivered).toBe(3);

	const purging = ["purge", "--integration", id, "--status", "delivered"];
	expect(await run(...purging, "--dry-run")).toMatchObject([{ matched: 3 }]);
	expect(await run(...purging, "--yes")).toMatchObject([
		{ purged: 3, complete: true },
	]);
	expect((await client.getWebhookLedger()).data).toMatchObject([
		{ matched: 3, delivered: 0, purged: 3, balanced: true },
	]);
});
