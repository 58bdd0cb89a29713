import { expect, test } from "vitest";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const KILLS = 20;
const WRITERS = 8;

test(`kill -9, ${KILLS} times under load: nothing acknowledged is lost, every duplicate has its jti and bytes`, async () => {
	const receiver = await openCountingReceiver();
	const folder = createTempFolder();
	const args = ["--rate-limit", "0"];
	let service = await startDemoService(folder, { args });
	const { keys } = service;
	await service.client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const partnership_uuid = await findPartnership(service.client);
	const acknowledged = new Set<string>();

	/** Creates leads until the service is gone. Only answered requests count. */
	const write = async ({ client }: typeof service) => {
		for (;;) {
			try {
				const lead = await client.createLead({ body: { partnership_uuid } });
				acknowledged.add(lead.uuid);
			} catch {
				return;
			}
		}
	};

	for (let kill = 0; kill < KILLS; kill++) {
		const before = receiver.counts().requests;
		const writers = Array.from({ length: WRITERS }, () => write(service));
		await receiver.requests(before + 100 + 11 * kill);
		await service.stop("SIGKILL");
		await Promise.all(writers);
		service = await startDemoService(folder, { args, keys });
	}
	// Well under a lease of 70 s: the claims of a killed worker are taken over because its lock is free.
	await expect
		.poll(
			async () => {
				const { data } = await service.client.getWebhookLedger();
				return data.map(({ pending, delivering }) => pending + delivering);
			},
			{ timeout: 30_000, interval: 100 },
		)
		.toEqual([0]);
	const { data } = await service.client.getWebhookLedger();
	expect(data).toMatchObject([{ balanced: true, failed: 0, dropped: 0 }]);
	const arrived = new Set<string>();
	for (const bodies of receiver.bodies.values()) {
		expect(bodies.size, "one jti, one body").toBe(1);
		for (const body of bodies) {
			const { uuid } = JSON.parse(body).lead;
			expect(arrived.has(uuid), "one lead, one jti").toBe(false);
			arrived.add(uuid);
		}
	}
	for (const uuid of acknowledged) expect(arrived).toContain(uuid);
	expect(arrived.size).toBe(data[0]?.matched);
	expect(await service.stop()).toBe(0);
});
