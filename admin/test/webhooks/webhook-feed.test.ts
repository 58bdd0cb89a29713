import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	openReceiver,
	type Received,
	type TestReceiver,
	verifyToken,
} from "../support/receiver.ts";
import {
	createIntegration,
	createLead,
	createPartner,
	UNKNOWN_UUID,
} from "../support/records.ts";
import { API_KEY, EXTERNAL_SETTINGS } from "../support/webhook-world.ts";

interface Item {
	sequence: number;
	uuid: string;
	event_id: string;
	status: string;
	omitted: string | null;
	body: string | null;
	token: string | null;
}

let api: Api;
let partner: { uuid: string };
let receiver: TestReceiver;
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

const secrets = { external_settings: EXTERNAL_SETTINGS, api_key: API_KEY };
const integrate = (body: object = {}) =>
	createIntegration(api, { webhook_url: receiver.url, ...body });
const feed = (id: string, query = "", key = api.seeded.keys.full) =>
	api.call("getWebhookFeed", { query: `?integration_id=${id}${query}`, key });
const numbersOf = (body: { data: Item[] }) =>
	body.data.map(({ sequence }) => sequence);

test("the feed holds the bytes that were delivered, oldest first, each with a token of now", async () => {
	const { id, integration_uuid: secret } = await integrate(secrets);
	const before = receiver.requests.length;
	const leads = [
		await createLead(api, partner.uuid, { company_name: "Ünïcode 😀" }),
		await createLead(api, partner.uuid),
	];
	await receiver.received(before + 2);
	const delivered = new Map<unknown, Received>();
	for (const request of receiver.requests.slice(before)) {
		const { payload } = await verifyToken(request, secret, api.clock());
		delivered.set(payload.jti, request);
	}
	api.clock.advance(7 * 24 * 3600 * 1000);
	const { body, headers } = await feed(id);
	expect(headers.get("cache-control")).toBe("no-store");
	expect(body).toMatchObject({
		integration_id: id,
		after_sequence: 0,
		to_sequence: 2,
		newest_sequence: 2,
		purged: [],
	});
	expect(numbersOf(body)).toEqual([1, 2]);
	for (const [index, item] of (body.data as Item[]).entries()) {
		const request = delivered.get(item.uuid) as Received;
		expect(item.body).toBe(request.text);
		expect(JSON.parse(request.text).lead.uuid).toBe(leads[index].uuid);
		const headers = { authorization: `Bearer ${item.token}` };
		const fresh = await verifyToken(
			{ ...request, headers },
			secret,
			api.clock(),
		);
		expect(fresh.payload).toMatchObject({
			jti: item.uuid,
			sequence: item.sequence,
			event_id: "lead_created",
			iat: Math.floor(api.clock() / 1000),
			...secrets,
		});
		const sent = await verifyToken(
			request,
			secret,
			api.clock() - 7 * 24 * 3600 * 1000,
		);
		expect(fresh.payload.payload_sha256).toBe(sent.payload.payload_sha256);
	}
});

test("pages meet: each number comes once, and the end says that it is the end", async () => {
	const { id } = await integrate();
	for (let count = 0; count < 7; count++) await createLead(api, partner.uuid);
	const seen: number[] = [];
	let after = 0;
	for (let page = 1; page <= 3; page++) {
		const { body } = await feed(id, `&after_sequence=${after}&limit=3`);
		seen.push(...numbersOf(body));
		expect(body.newest_sequence).toBe(7);
		after = body.to_sequence;
	}
	expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
	expect(after).toBe(7);
	const { body } = await feed(id, "&after_sequence=99");
	expect(body).toMatchObject({ data: [], purged: [], to_sequence: 99 });
});

test("what was never to be sent is reported with its reason, and has neither body nor token", async () => {
	const { id } = await integrate({ on_pause: "drop" });
	const params = { integration_id: id };
	await api.call("pauseIntegration", { params });
	await createLead(api, partner.uuid);
	await api.call("resumeIntegration", { params });
	await createLead(api, partner.uuid);
	const { body } = await feed(id);
	expect(body.data).toMatchObject([
		{
			sequence: 1,
			status: "dropped",
			omitted: "the integration was paused and drops what happens meanwhile",
			body: null,
			token: null,
		},
		{ sequence: 2, omitted: null, token: expect.any(String) },
	]);
});

test("held deliveries are there too", async () => {
	const { id } = await integrate();
	await api.call("pauseIntegration", { params: { integration_id: id } });
	await createLead(api, partner.uuid);
	const { body } = await feed(id);
	expect(body.data).toMatchObject([
		{ status: "held", omitted: null, body: expect.any(String) },
	]);
});

test("a key that may only read gets the bodies, and no token that proves them to the receiver", async () => {
	const { id } = await integrate(secrets);
	await createLead(api, partner.uuid);
	const read = () => feed(id, "", api.seeded.keys.read);
	const { status, body } = await read();
	expect(status).toBe(200);
	const [item] = body.data as Item[];
	expect(item?.token).toBe(null);
	// It may be attempted between the two answers.
	await expect
		.poll(async () => {
			const full = (await feed(id)).body.data[0];
			return [(await read()).body.data[0], { ...full, token: null }];
		})
		.toSatisfy(([one, other]: unknown[]) => isDeepStrictEqual(one, other));
	const text = JSON.stringify(body);
	for (const hidden of [API_KEY, EXTERNAL_SETTINGS.authorisation[0]?.value])
		expect(text).not.toContain(hidden);
	const refused = await feed(id, "", api.seeded.keys.write);
	expect(refused.status).toBe(403);
});

test("an integration of nobody, of another company, or deleted is not found, in the same words", async () => {
	const { keys } = await api.addCompany();
	const foreign = await createIntegration(api, {}, { key: keys.full });
	const gone = await integrate();
	await api.call("deleteIntegration", { params: { integration_id: gone.id } });
	const answers = [];
	for (const id of [UNKNOWN_UUID, foreign.id, gone.id]) {
		const { status, body } = await feed(id);
		expect(status).toBe(404);
		answers.push(body);
	}
	expect(new Set(answers.map((body) => JSON.stringify(body))).size).toBe(1);
});

test.each([
	["", "integration_id"],
	["?integration_id=7", "integration_id"],
	[`?integration_id=${UNKNOWN_UUID}&after_sequence=-1`, "after_sequence"],
	[`?integration_id=${UNKNOWN_UUID}&after_sequence=1e3`, "after_sequence"],
	[
		`?integration_id=${UNKNOWN_UUID}&after_sequence=9007199254740993`,
		"after_sequence",
	],
	[`?integration_id=${UNKNOWN_UUID}&after_sequence=`, "after_sequence"],
	[`?integration_id=${UNKNOWN_UUID}&limit=0`, "limit"],
	[`?integration_id=${UNKNOWN_UUID}&limit=101`, "limit"],
])("%s is a 400 that names %s", async (query, member) => {
	const { status, body } = await api.call("getWebhookFeed", { query });
	expect(status).toBe(400);
	expect(body.error.message).toContain(`query/${member}`);
});
