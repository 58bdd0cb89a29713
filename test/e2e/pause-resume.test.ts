import { expect, test } from "vitest";
import { openVerifiedReceiver } from "../kit/endpoints/verified-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("a paused integration holds its deliveries and releases them in order on resume", async () => {
	const { client } = await startDemoService(createTempFolder());
	const [paused, active] = [
		await openVerifiedReceiver(),
		await openVerifiedReceiver(),
	];
	const one = await client.createIntegration({
		body: { label: "Paused", webhook_url: paused.url },
	});
	const two = await client.createIntegration({
		body: { label: "Active", webhook_url: active.url },
	});
	paused.useSecret(one.integration_uuid);
	active.useSecret(two.integration_uuid);
	const params = { integration_id: one.id };
	const afterPause = await client.pauseIntegration({
		params,
		body: { reason: "maintenance" },
	});
	expect(afterPause).toMatchObject({
		status: "paused",
		pause_reason: "maintenance",
	});

	const partnership_uuid = await findPartnership(client);
	const lead = await client.createLead({
		body: { partnership_uuid, company_name: "Globex" },
	});
	const other = await client.createLead({
		body: { partnership_uuid, company_name: "Initech" },
	});
	const statuses = ["contacted", "qualified", "converted"] as const;
	for (const status of statuses)
		await client.updateLead({ params: { uuid: lead.uuid }, body: { status } });

	// The active integration has got all five by now, so the paused one would have got its own.
	await active.count(5);
	expect(paused.arrived).toEqual([]);
	expect((await client.getIntegration({ params })).health).toMatchObject({
		held: 5,
		pending: 0,
	});

	const resumed = await client.resumeIntegration({ params });
	expect(resumed).toMatchObject({
		status: "active",
		pause_reason: null,
		paused_at: null,
	});
	await paused.count(5);
	const ofLead = paused.handled
		.filter(({ uuid }) => uuid === lead.uuid)
		.map(({ sequence }) => sequence);
	expect(ofLead).toEqual([1, 3, 4, 5]);
	expect(paused.handled.map(({ uuid }) => uuid)).toContain(other.uuid);
});

test("pausing and resuming twice is harmless", async () => {
	const { client } = await startDemoService(createTempFolder());
	const body = { label: "CRM", webhook_url: "http://127.0.0.1:9/hook" };
	const { id } = await client.createIntegration({ body });
	const params = { integration_id: id };
	const first = await client.pauseIntegration({ params });
	const second = await client.pauseIntegration({ params });
	expect(second).toEqual(first);
	const active = await client.resumeIntegration({ params });
	expect(await client.resumeIntegration({ params })).toEqual(active);
});
