import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { openReceiver, type TestReceiver } from "../support/receiver.ts";
import {
	createIntegration,
	createLead,
	createPartner,
} from "../support/records.ts";

let api: Api;
let receiver: TestReceiver;
let partner: { uuid: string };

beforeAll(async () => {
	api = await openApi({ allowHttp: true, allowPrivate: true });
	api.service.startWorker();
	partner = await createPartner(api);
	receiver = await openReceiver();
});
afterAll(async () => {
	await receiver.close();
	await api.close();
});

let integration: { id: string; integration_uuid: string };
beforeEach(async () => {
	receiver.answerWith(200);
	integration = await createIntegration(api, { webhook_url: receiver.url });
	return async () => {
		const params = { integration_id: integration.id };
		await api.call("deleteIntegration", { params, query: "?force=true" });
	};
});

const list = async (query = "") =>
	(
		await api.call("listWebhookEvents", {
			query: `?integration_id=${integration.id}${query}`,
		})
	).body;
const show = async (uuid: string) =>
	(await api.call("getWebhookEvent", { params: { uuid } })).body;
const settled = (uuid: string, status: string) =>
	expect.poll(async () => (await show(uuid)).status).toBe(status);

/** A lead whose first delivery has failed with the given status, and that delivery. */
async function failOnce(status = 503) {
	receiver.answerWith(status);
	const lead = await createLead(api, partner.uuid);
	const { data } = await list(`&record_uuid=${lead.uuid}`);
	const { uuid } = data[0];
	await expect.poll(async () => (await show(uuid)).attempt_count).toBe(1);
	return { lead, uuid };
}
const touch = (lead: { uuid: string }, company_name: string) =>
	api.call("updateLead", { params: lead, body: { company_name } });

test("a failed attempt is reported whole: class, stage, timings, address, answer, advice, and what it waits for", async () => {
	const { uuid, lead } = await failOnce(204);
	const found = await show(uuid);
	expect(found).toMatchObject({
		status: "pending",
		event_id: "lead_created",
		record_uuid: lead.uuid,
		waiting_for: "schedule",
		last_error: "the endpoint answered 204: it must answer exactly 200",
		advice:
			"Answer exactly 200: every other success status counts as a failure.",
		blocked_by: null,
		out_of_order: false,
		attempts: [
			{
				number: 1,
				delivered: false,
				status: 204,
				failure: { class: "wrong_success", stage: "status", code: null },
				address: "127.0.0.1",
				retried_on_reset: false,
			},
		],
	});
	expect(found.explanation).toContain(found.next_attempt_at);
	expect(JSON.parse(found.body)).toMatchObject({ lead: { uuid: lead.uuid } });
	const [attempt] = found.attempts;
	expect(attempt.timings.headers_ms).toBeGreaterThan(0);
	expect(attempt.timings.dns_ms).toBeNull();
	expect(attempt.response.headers).toHaveProperty("date");
	const text = JSON.stringify(found);
	expect(text).not.toContain(integration.integration_uuid);
	expect(text).not.toContain("eyJ");
});

test("an overload is waited out for 60 s, and the delivery says so", async () => {
	const { uuid } = await failOnce(503);
	const found = await show(uuid);
	expect(found.waiting_for).toBe("overload_floor");
	expect(Date.parse(found.next_attempt_at)).toBeGreaterThanOrEqual(
		api.clock() + 60_000,
	);
});

test("the next of a record waits for its head, which can be skipped by hand; both are audited", async () => {
	const { lead, uuid } = await failOnce();
	await touch(lead, "Second");
	const [second] = (await list("&status=pending")).data;
	expect(second).toMatchObject({ waiting_for: "lane", next_attempt_at: null });
	expect(await show(second.uuid)).toMatchObject({ blocked_by: uuid });
	receiver.answerWith(200);
	const params = { uuid };
	const early = await api.call("redeliverWebhookEvent", {
		params: { uuid: second.uuid },
		body: {},
	});
	expect([early.status, early.body.error.code]).toEqual([409, "conflict"]);
	const skipped = await api.call("skipWebhookEvent", { params });
	expect(skipped.body).toMatchObject({ status: "dropped", waiting_for: null });
	await settled(second.uuid, "delivered");
	expect((await show(second.uuid)).out_of_order).toBe(false);
	expect((await api.call("skipWebhookEvent", { params })).status).toBe(409);

	const again = await api.call("redeliverWebhookEvent", { params, body: {} });
	expect(again.body).toMatchObject({ uuid, out_of_order: true });
	await settled(uuid, "delivered");
	const { audit } = api.service.store.tables;
	const rows = await api.service.store.read.query.select().from(audit);
	const actions = rows
		.filter(({ entityUuid }) => entityUuid === uuid)
		.map(({ action }) => action);
	// In whatever order the database answers.
	expect(actions.sort()).toEqual(["redelivered", "skipped"]);
});

test("a redelivery keeps jti and bytes; with fresh it is a new delivery of the same bytes", async () => {
	await createLead(api, partner.uuid);
	const [item] = (await list()).data;
	await settled(item.uuid, "delivered");
	const before = receiver.requests.length;
	const params = { uuid: item.uuid };
	await api.call("redeliverWebhookEvent", { params });
	await receiver.received(before + 1);
	await settled(item.uuid, "delivered");
	const fresh = await api.call("redeliverWebhookEvent", {
		params,
		body: { fresh: true },
	});
	expect(fresh.body.uuid).not.toBe(item.uuid);
	expect(fresh.body.sequence).toBe(item.sequence + 1);
	const requests = (await receiver.received(before + 2)).slice(before - 1);
	const jtis = requests.map(
		({ headers }) =>
			JSON.parse(
				Buffer.from(
					headers.authorization?.split(".")[1] ?? "",
					"base64url",
				).toString(),
			).jti,
	);
	expect(jtis).toEqual([item.uuid, item.uuid, fresh.body.uuid]);
	expect(new Set(requests.map(({ text }) => text)).size).toBe(1);
	expect((await show(item.uuid)).attempts).toHaveLength(2);
});

test("lists filter by status, event, record and time, with true totals", async () => {
	const params = { integration_id: integration.id };
	await api.call("pauseIntegration", { params });
	const lead = await createLead(api, partner.uuid);
	await touch(lead, "Other");
	api.clock.advance(60_000);
	const later = await createLead(api, partner.uuid);
	const sequences = async (query: string) =>
		(await list(query)).data.map(
			({ sequence }: { sequence: number }) => sequence,
		);
	expect(await sequences("")).toEqual([3, 2, 1]);
	expect(await sequences("&status=held")).toEqual([3, 2, 1]);
	expect(await sequences("&status=pending")).toEqual([]);
	expect(await sequences("&event_id=lead_updated")).toEqual([2]);
	expect(await sequences(`&record_uuid=${later.uuid}`)).toEqual([3]);
	const before = encodeURIComponent(new Date(api.clock() - 1).toISOString());
	expect(await sequences(`&created_before=${before}`)).toEqual([2, 1]);
	expect(await sequences(`&created_after=${before}`)).toEqual([3]);
	const page = await list("&per_page=2&page=2&event_id=lead_created");
	expect(page).toMatchObject({ data: [], pagination: { total: 2 } });
	expect((await show((await list()).data[0].uuid)).explanation).toMatch(
		/^Held/,
	);
	const bad = await api.call("listWebhookEvents", { query: "?status=lost" });
	expect(bad.status).toBe(400);
});

test("the ledger accounts for every event, and says what is missing", async () => {
	const { lead, uuid } = await failOnce();
	await touch(lead, "Held up");
	await api.call("skipWebhookEvent", { params: { uuid } });
	receiver.answerWith(200);
	const entry = async () => {
		const { body } = await api.call("getWebhookLedger");
		return body.data.find(
			({ integration_id }: { integration_id: string }) =>
				integration_id === integration.id,
		);
	};
	await expect.poll(entry).toMatchObject({
		matched: 2,
		delivered: expect.any(Number),
		dropped: 1,
		failed: 0,
		balanced: true,
		problem: null,
	});
	const { store } = api.service;
	const { delivery, attempt } = store.tables;
	await store.write(async ({ query }) => {
		const [row] = await query
			.select()
			.from(delivery)
			.where(eq(delivery.uuid, uuid));
		const id = row?.id ?? 0;
		await query.delete(attempt).where(eq(attempt.deliveryId, id));
		await query.delete(delivery).where(eq(delivery.id, id));
	});
	expect(await entry()).toMatchObject({
		balanced: false,
		problem: "1 of 2 events have no delivery",
	});
});
