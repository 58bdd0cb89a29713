import { hash } from "node:crypto";
import { EVENT_IDS, payloadKeyOf } from "@partnerwire/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#kit/free-port.ts";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	openReceiver,
	type Received,
	type TestReceiver,
	verifyToken,
} from "../support/receiver.ts";
import { createIntegration } from "../support/records.ts";
import { countRows, expectRefused } from "../support/row-counts.ts";

let api: Api;
let receiver: TestReceiver;
let integration: { id: string; integration_uuid: string };
beforeAll(async () => {
	api = await openApi({ allowHttp: true, allowPrivate: true });
	receiver = await openReceiver();
	integration = await createIntegration(api, {
		webhook_url: receiver.url,
		api_key: "key-of-the-crm",
		external_settings: { authorisation: [{ id: "token", value: "s3cret" }] },
	});
});
afterAll(async () => {
	await api.close();
	await receiver.close();
});

const send = (body: object, headers: Record<string, string> = {}) =>
	api.call("testIntegration", {
		params: { integration_id: integration.id },
		body,
		headers,
	});

test.each(EVENT_IDS)(
	"A114 the test webhook of %s is a signed request",
	async (event_id) => {
		const { status, body } = await send({ event_id });
		expect([status, body.delivered]).toEqual([200, true]);
		const request = receiver.requests.at(-1) as Received;
		expect(Object.keys(request.body)).toEqual([
			payloadKeyOf(event_id),
			"configuration",
		]);
		expect(body.request.body).toBe(request.text);
		const { payload } = await verifyToken(
			request,
			integration.integration_uuid,
			api.clock(),
		);
		expect(payload.event_id).toBe(event_id);
	},
);

test("the answer shows the attempt, without the token or a secret; nothing enters the queue", async () => {
	const before = await countRows(api);
	const { body } = await send({ event_id: "lead_created" });
	const text = JSON.stringify(body);
	const request = receiver.requests.at(-1) as Received;
	const token = request.headers.authorization?.slice(7) as string;
	for (const secret of [
		token,
		"s3cret",
		"key-of-the-crm",
		integration.integration_uuid,
	])
		expect(text).not.toContain(secret);
	expect(body).toMatchObject({
		response: { status: 200 },
		failure: null,
		address: "127.0.0.1",
		retried_on_reset: false,
	});
	expect(await countRows(api)).toEqual(before);
});

test.each([true, false])(
	"a payload of one's own is audited: the event and the hash of the body that was signed (exact: %s)",
	async (exact) => {
		const { id } = await createIntegration(api, { webhook_url: receiver.url });
		const params = { integration_id: id };
		const payload = { lead: { uuid: "x", note: "my own" } };
		const entries = async () =>
			(
				await api.request(
					"GET",
					`/v1/audit-log?entity_uuid=${id}&action=tested`,
				)
			).body.data;
		await api.call("testIntegration", {
			params,
			body: { event_id: "lead_created" },
		});
		expect(await entries()).toEqual([]);
		await api.call("testIntegration", {
			params,
			body: { event_id: "lead_created", payload, exact },
		});
		const { text, headers } = receiver.requests.at(-1) as Received;
		const [entry, ...others] = await entries();
		expect(others).toEqual([]);
		expect(entry.changes).toMatchObject([
			{ field: "event_id", old: null, new: "lead_created" },
			{
				field: "payload_sha256",
				old: null,
				new: hash("sha256", text, "base64url"),
			},
		]);
		expect(JSON.stringify(entry)).not.toContain("my own");
		expect(JSON.stringify(entry)).not.toContain(headers.authorization);
	},
);

test("it is sent while the integration is paused", async () => {
	const params = { integration_id: integration.id };
	await api.call("pauseIntegration", { params });
	expect((await send({ event_id: "deal_created" })).body.delivered).toBe(true);
	await api.call("resumeIntegration", { params });
});

test("an own payload is sent, fresh or exact; one without the entity is refused", async () => {
	const payload = {
		lead: { uuid: "mine", company_name: "Own" },
		configuration: [],
	};
	await send({ event_id: "lead_created", payload, exact: true });
	expect(receiver.requests.at(-1)?.body).toEqual(payload);
	await send({ event_id: "lead_created", payload });
	expect(receiver.requests.at(-1)?.body.lead).toMatchObject({
		company_name: "Own",
	});
	expect(receiver.requests.at(-1)?.body.lead.uuid).not.toBe("mine");
	for (const wrong of [{}, { deal: {} }, { lead: null }, { lead: "x" }])
		await expectRefused(
			api,
			() => send({ event_id: "lead_created", payload: wrong }),
			/body\/payload/,
		);
	await expectRefused(
		api,
		() => send({ event_id: "lead_exploded" }),
		/body\/event_id/,
	);
});

test.each([
	["NUL", { lead: { a: ["x\0"] } }, /NUL/],
	["NUL in a name", { lead: { "\0": 1 } }, /NUL/],
	["a lone surrogate", { lead: { a: "\\\uD800" } }, /lone surrogate/],
	["257 KiB", { lead: { a: "x".repeat(257 * 1024) } }, /262144 bytes/],
])("an own payload with %s is refused", async (_, payload, naming) => {
	const answer = await expectRefused(
		api,
		() => send({ event_id: "lead_created", payload }),
		naming,
	);
	expect(answer.body.error.details[0].field).toBe("body/payload");
});

test("text that only looks like the escape of NUL is sent as it is", async () => {
	const payload = { lead: { a: "\\u0000 😀" }, configuration: [] };
	await send({ event_id: "lead_created", payload, exact: true });
	expect(receiver.requests.at(-1)?.body).toEqual(payload);
});

test("with an Idempotency-Key it is sent once, and the answer is replayed", async () => {
	const headers = { "idempotency-key": "once" };
	const before = receiver.requests.length;
	const [first, second] = [
		await send({ event_id: "lead_created" }, headers),
		await send({ event_id: "lead_created" }, headers),
	];
	expect(second.body).toEqual(first.body);
	expect(receiver.requests.length - before).toBe(1);
});

test("a receiver that refuses is told about, with advice", async () => {
	receiver.answerWith(401);
	const { status, body } = await send({ event_id: "lead_created" });
	receiver.answerWith(200);
	expect([status, body.delivered, body.response.status]).toEqual([
		200,
		false,
		401,
	]);
	expect(body.advice).not.toBe("");
});

test("of one that nobody answers it tells the stage, the code and the address", async () => {
	const params = { integration_id: integration.id };
	const webhook_url = `http://127.0.0.1:${await freePort()}/hook`;
	await api.call("updateIntegration", { params, body: { webhook_url } });
	const { body } = await send({ event_id: "lead_created" });
	expect(body).toMatchObject({
		delivered: false,
		response: null,
		failure: {
			class: "connect_refused",
			stage: "connect",
			code: "ECONNREFUSED",
		},
		address: "127.0.0.1",
	});
});
