import { join } from "node:path";
import { newUuid } from "@partnerwire/core";
import { openService } from "partnerwire";
import { expect, test } from "vitest";
import { emitEvent } from "../../shared/core/src/delivery/emit/emit-event.ts";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import { startDemoService } from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const PENDING = 100_000;
const TOGETHER = 500;

test("100,000 pending deliveries at start-up: the service is ready, answers meanwhile, and delivers them all", async () => {
	const receiver = await openCountingReceiver();
	const folder = createTempFolder();
	const first = await startDemoService(folder, { args: ["--no-worker"] });
	await first.client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	expect(await first.stop()).toBe(0);

	const { core, store, close } = await openService({
		database: join(folder, "test.db"),
	});
	const caller = await core.authenticate(first.keys.full);
	if (!caller) throw new Error("the seed's key is not valid");
	for (let made = 0; made < PENDING; made += TOGETHER) {
		const nowMs = Date.now();
		const context = { caller, nowMs, newUuid: () => newUuid(nowMs) };
		await store.write(async (db) => {
			for (let index = 0; index < TOGETHER; index++) {
				const uuid = newUuid(nowMs);
				await emitEvent(
					{ eventId: "lead_updated", recordUuid: uuid, entity: { uuid } },
					{ ...context, db },
				);
			}
		});
	}
	await close();

	const second = await startDemoService(folder, { keys: first.keys });
	const { client } = second;
	await receiver.requests(1000);
	expect((await client.listPartners()).data.length).toBeGreaterThan(0);
	expect((await client.getWebhookLedger()).balanced).toBe(true);
	await receiver.events(PENDING);
	await expect
		.poll(async () => (await client.getWebhookLedger()).data[0], {
			timeout: 60_000,
		})
		.toMatchObject({ matched: PENDING, delivered: PENDING, balanced: true });
	expect(receiver.counts().requests).toBe(PENDING);
	expect(await second.stop()).toBe(0);
});
