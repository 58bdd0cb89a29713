import { expect, test } from "vitest";
import type { Received } from "../support/receiver.ts";
import {
	createDeal,
	createLead,
	createNote,
	createPartner,
} from "../support/records.ts";
import { CONFIGURATION, useWebhookWorld } from "../support/webhook-world.ts";

const world = useWebhookWorld();

/** The event ids that came, once there are so many. */
async function seen(count: number) {
	const requests = await world.receiver.received(count);
	const events: unknown[] = [];
	for (const request of requests)
		events.push((await world.claimsOf(request)).event_id);
	return events;
}

test("A115 A117 a body has one entity key and the configuration", async () => {
	const { api, receiver, claimsOf } = world;
	const made = await createPartner(api, { name: "Initrode" });
	const lead = await createLead(api, made.uuid, { company_name: "Ünïted" });
	const deal = await createDeal(api, lead.uuid);
	await createNote(api, "leads", lead.uuid);
	await createNote(api, "deals", deal.uuid);
	const requests = await receiver.received(5);
	const bodies: Record<string, Received["body"]> = {};
	for (const request of requests)
		bodies[(await claimsOf(request)).event_id as string] = request.body;
	const keys = Object.entries(bodies).map(([event, body]) => [
		event,
		Object.keys(body),
	]);
	expect(Object.fromEntries(keys)).toEqual({
		partner_created: ["partnership", "configuration"],
		lead_created: ["lead", "configuration"],
		deal_created: ["deal", "configuration"],
		lead_note_created: ["note", "configuration"],
		deal_note_created: ["note", "configuration"],
	});
	for (const body of Object.values(bodies))
		expect(body.configuration).toEqual(CONFIGURATION);
	expect(bodies.partner_created.partnership).toMatchObject({
		uuid: made.uuid,
		company_name: "Initrode",
	});
	expect(bodies.lead_created.lead).toMatchObject({
		uuid: lead.uuid,
		company_name: "Ünïted",
		partnership: { uuid: made.uuid, company_name: "Initrode" },
	});
	expect(bodies.deal_created.deal).toMatchObject({
		uuid: deal.uuid,
		label: "Ünïted",
	});
	expect(bodies.lead_note_created.note).toMatchObject({
		lead_uuid: lead.uuid,
		deal_uuid: null,
	});
	expect(bodies.deal_note_created.note).toMatchObject({
		lead_uuid: null,
		deal_uuid: deal.uuid,
	});
});

test("A119 pause holds deliveries, resume sends them in order", async () => {
	const { api, receiver, integration, partner } = world;
	const params = { integration_id: integration.id };
	const paused = await api.call("pauseIntegration", {
		params,
		body: { reason: "holiday" },
	});
	expect(paused.body).toMatchObject({
		status: "paused",
		pause_reason: "holiday",
	});
	const again = await api.call("pauseIntegration", { params });
	expect(again.body).toEqual(paused.body);
	const lead = await createLead(api, partner.uuid);
	for (const name of ["b", "c"])
		await api.call("updateLead", {
			params: { uuid: lead.uuid },
			body: { company_name: name },
		});
	const held = await api.call("getIntegration", { params });
	expect(held.body.health).toMatchObject({ held: 3, pending: 0 });
	expect(receiver.requests).toEqual([]);
	const resumed = await api.call("resumeIntegration", { params });
	expect(resumed.body).toMatchObject({ status: "active", pause_reason: null });
	expect(await seen(3)).toEqual([
		"lead_created",
		"lead_updated",
		"lead_updated",
	]);
	expect(receiver.requests.map(({ body }) => body.lead.company_name)).toEqual([
		"Initech",
		"b",
		"c",
	]);
	expect((await api.call("resumeIntegration", { params })).status).toBe(200);
	const patched = await api.call("updateIntegration", {
		params,
		body: { label: "New" },
	});
	expect(patched.body.label).toBe("New");
});

test("A120 a refused write and a no-op PATCH emit nothing; the event after them comes next", async () => {
	const { api, receiver, partner } = world;
	const lead = await createLead(api, partner.uuid);
	await receiver.received(1);
	const params = { uuid: lead.uuid };
	const refused = await api.call("updateLead", {
		params,
		body: { email: "nobody" },
	});
	const reference = await api.call("createLead", {
		body: { partnership_uuid: lead.uuid },
	});
	expect([refused.status, reference.status]).toEqual([400, 400]);
	api.clock.advance(1000);
	for (const body of [
		{},
		{ company_name: lead.company_name },
		{ email: null },
	]) {
		const answer = await api.call("updateLead", { params, body });
		expect(answer.body).toEqual(lead);
	}
	await api.call("archiveLead", { params });
	expect(await seen(2)).toEqual(["lead_created", "lead_deleted"]);
});

test("A122 archiving emits the deletion with the final state", async () => {
	const { api, receiver, partner, claimsOf } = world;
	const lead = await createLead(api, partner.uuid);
	const deal = await createDeal(api, lead.uuid, { label: "First" });
	await api.call("updateDeal", {
		params: { uuid: deal.uuid },
		body: { label: "Last" },
	});
	await api.call("archiveDeal", { params: { uuid: deal.uuid } });
	const requests = await receiver.received(4);
	const bodies: Record<string, Received["body"]> = {};
	for (const request of requests)
		bodies[(await claimsOf(request)).event_id as string] = request.body;
	expect(bodies.deal_deleted.deal).toMatchObject({
		uuid: deal.uuid,
		label: "Last",
	});
	await api.call("archiveLead", { params: { uuid: lead.uuid } });
	const last = (await receiver.received(5)).at(-1) as Received;
	expect((await claimsOf(last)).event_id).toBe("lead_deleted");
	expect(last.body.lead).toMatchObject({
		uuid: lead.uuid,
		company_name: "Initech",
	});
});

test("A112 A174 an answer of 201 or 204 is a failed attempt; the next has the same jti and bytes", async () => {
	const { api, receiver, integration, partner } = world;
	for (const status of [201, 204]) {
		receiver.answerWith(status);
		const before = receiver.requests.length;
		const lead = await createLead(api, partner.uuid);
		await receiver.received(before + 1);
		receiver.answerWith(200);
		// The attempt must have been written back before time passes, or the retry is planned after it.
		await expect
			.poll(async () => {
				const { body } = await api.call("getIntegration", {
					params: { integration_id: integration.id },
				});
				return body.health.last_error;
			})
			.toContain(String(status));
		api.clock.advance(60_000);
		const requests = await receiver.received(before + 2);
		const [first, second] = requests.slice(before) as [Received, Received];
		expect(second.text).toBe(first.text);
		expect(second.body.lead.uuid).toBe(lead.uuid);
		const [one, two] = [first, second].map(({ headers }) =>
			JSON.parse(
				Buffer.from(
					headers.authorization?.split(".")[1] ?? "",
					"base64url",
				).toString(),
			),
		);
		expect(two.jti).toBe(one.jti);
		expect(two.iat).toBeGreaterThan(one.iat);
	}
});
