import { expect, test } from "vitest";
import { openVerifiedReceiver } from "../kit/endpoints/verified-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("a service killed between commit and delivery delivers after its restart", async () => {
	const folder = createTempFolder();
	const receiver = await openVerifiedReceiver();
	const first = await startDemoService(folder, { args: ["--no-worker"] });
	const integration = await first.client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	receiver.useSecret(integration.integration_uuid);
	const partnership_uuid = await findPartnership(first.client);
	const created = await Promise.all(
		Array.from({ length: 20 }, (_, index) =>
			first.client.createLead({
				body: { partnership_uuid, company_name: `Lead ${index}` },
			}),
		),
	);
	await first.stop("SIGKILL");
	expect(receiver.arrived).toEqual([]);

	await startDemoService(folder, { keys: first.keys });
	await receiver.count(created.length);
	const arrived = receiver.handled.map(({ uuid }) => uuid).sort();
	expect(arrived).toEqual(created.map(({ uuid }) => uuid).sort());
});
