import { expect, test } from "vitest";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("A113 a receiver that answers after more than 10 s has failed, and SIGTERM does not wait for one that never answers", async () => {
	const timers: NodeJS.Timeout[] = [];
	const receiver = await openCountingReceiver((response) => {
		timers.push(setTimeout(() => response.end("{}"), 10_500));
	});
	const service = await startDemoService(createTempFolder());
	const { client } = service;
	await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const partnership_uuid = await findPartnership(client);
	await client.createLead({ body: { partnership_uuid } });
	const find = async () => {
		const [item] = (await client.listWebhookEvents()).data;
		return client.getWebhookEvent({ params: { uuid: item?.uuid ?? "" } });
	};
	await expect.poll(async () => (await find()).attempt_count).toBe(1);
	expect(await find()).toMatchObject({
		status: "pending",
		waiting_for: "overload_floor",
		attempts: [{ failure: { class: "answer_timeout" }, status: null }],
	});
	await client.createLead({ body: { partnership_uuid } });
	await receiver.requests(2);
	expect(await service.stop("SIGTERM")).toBe(0);
	for (const timer of timers) clearTimeout(timer);
});
