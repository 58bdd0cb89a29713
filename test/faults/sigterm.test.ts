import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("SIGTERM lets attempts in flight end and claims no more; what is left goes out after a restart", async () => {
	const held: ServerResponse[] = [];
	let isOpen = false;
	let asked = 0;
	const receiver = await openCountingReceiver((response) => {
		// Until its first attempt is answered, an integration has only one.
		if (isOpen || asked++ === 0) response.end("{}");
		else held.push(response);
	});
	const folder = createTempFolder();
	const first = await startDemoService(folder);
	const { client } = first;
	await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const partnership_uuid = await findPartnership(client);
	const leads = 200;
	await Promise.all(
		Array.from({ length: leads }, () =>
			client.createLead({ body: { partnership_uuid } }),
		),
	);
	// Many attempts wait for an answer. The other deliveries are claimed or pending.
	await receiver.requests(9);
	const stopped = first.stop("SIGTERM");
	isOpen = true;
	for (const response of held) response.end("{}");
	expect(await stopped).toBe(0);

	const second = await startDemoService(folder, { keys: first.keys });
	await receiver.events(leads);
	await expect
		.poll(async () => (await second.client.getWebhookLedger()).data[0])
		.toMatchObject({ matched: leads, delivered: leads, balanced: true });
	// No attempt was cut short, so no delivery came twice.
	expect(receiver.counts()).toEqual({ events: leads, requests: leads });
	expect(await second.stop()).toBe(0);
});
