import { expect, test } from "vitest";
import { openVerifiedReceiver } from "../kit/endpoints/verified-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

test("a lead created through the API arrives at a receiver, signed, verified, once", async () => {
	const service = await startDemoService(createTempFolder());
	const receiver = await openVerifiedReceiver();
	const { client } = service;
	const configuration = [
		{
			id: "lead_integration_settings",
			selected: [{ id: "unique_field_lead", value: "email" }],
		},
	];
	const integration = await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url, configuration },
	});
	receiver.useSecret(integration.integration_uuid);

	const lead = await client.createLead({
		body: {
			partnership_uuid: await findPartnership(client),
			company_name: "Ünï 😀",
			email: "a@b.example",
		},
	});
	await receiver.count(1);
	expect(receiver.arrived[0]).toMatchObject({
		status: 200,
		outcome: "handled",
		eventId: "lead_created",
		sequence: 1,
	});
	expect(receiver.handled).toEqual([
		{ eventId: "lead_created", uuid: lead.uuid, sequence: 1 },
	]);

	const repeated = await receiver.repeat(0);
	expect(repeated.status).toBe(200);
	expect(receiver.arrived[1]).toMatchObject({
		status: 200,
		outcome: "duplicate",
	});
	expect(receiver.handled).toHaveLength(1);

	expect(await service.stop("SIGTERM")).toBe(0);
});

test("every kind of record event arrives under its own key, with the actor's user", async () => {
	const { client } = await startDemoService(createTempFolder());
	const receiver = await openVerifiedReceiver();
	const integration = await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	receiver.useSecret(integration.integration_uuid);

	const partner = await client.createPartner({
		body: { name: "Acme", partner_type: "reseller" },
	});
	await client.updatePartner({
		params: { uuid: partner.uuid },
		body: { name: "Acme Ltd" },
	});
	const lead = await client.createLead({
		body: { partnership_uuid: partner.uuid, company_name: "Globex" },
	});
	await client.updateLead({
		params: { uuid: lead.uuid },
		body: { status: "qualified" },
	});
	const deal = await client.createDeal({ body: { lead_uuid: lead.uuid } });
	await client.updateDeal({
		params: { uuid: deal.uuid },
		body: { deal_value: 10.5 },
	});
	const on = { uuid: deal.uuid };
	const note = await client.createDealNote({
		params: on,
		body: { content: "one" },
	});
	await client.updateDealNote({
		params: { ...on, subUuid: note.uuid },
		body: { content: "two" },
	});
	await client.deleteDealNote({ params: { ...on, subUuid: note.uuid } });
	await client.archiveDeal({ params: on });
	await client.archiveLead({ params: { uuid: lead.uuid } });

	await receiver.count(11);
	expect(
		receiver.arrived.every(
			({ status, outcome }) => status === 200 && outcome === "handled",
		),
	).toBe(true);
	const inOrder = [...receiver.handled].sort(
		(a, b) => (a.sequence ?? 0) - (b.sequence ?? 0),
	);
	expect(inOrder.map(({ eventId }) => eventId)).toEqual([
		"partner_created",
		"partner_updated",
		"lead_created",
		"lead_updated",
		"deal_created",
		"deal_updated",
		"deal_note_created",
		"deal_note_updated",
		"deal_note_deleted",
		"deal_deleted",
		"lead_deleted",
	]);
	expect(deal.label).toBe("Globex");
});
