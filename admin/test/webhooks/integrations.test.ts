import { EVENT_IDS } from "@partnerwire/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration } from "../support/records.ts";
import { expectRefused } from "../support/row-counts.ts";

let api: Api;
let integration: Awaited<ReturnType<typeof createIntegration>>;
beforeAll(async () => {
	api = await openApi();
	integration = await createIntegration(api);
});
afterAll(() => api.close());

const update = (body: object) =>
	api.call("updateIntegration", {
		params: { integration_id: integration.id },
		body,
	});
const create = (body: object) => api.call("createIntegration", { body });

test("A118 a missing, blank or null label or webhook_url answers 400 naming it", async () => {
	const webhook_url = "https://hooks.example/";
	await expectRefused(api, () => create({}), /body\/label.*body\/webhook_url/);
	await expectRefused(
		api,
		() => create({ webhook_url }),
		/^body\/label: is required$/,
	);
	await expectRefused(
		api,
		() => create({ label: "x" }),
		/^body\/webhook_url: is required$/,
	);
	for (const label of ["", "  ", null, 5])
		await expectRefused(
			api,
			() => create({ label, webhook_url }),
			/^body\/label: /,
		);
	await expectRefused(api, () => update({ label: null }), /^body\/label: /);
	await expectRefused(
		api,
		() => update({ webhook_url: null }),
		/^body\/webhook_url: /,
	);
});

test("an integration begins active, with every event and an empty configuration", () => {
	expect(integration).toMatchObject({
		label: "CRM",
		status: "active",
		on_pause: "hold",
		ordering: "record",
		event_ids: EVENT_IDS,
		configuration: [],
		has_api_key: false,
		has_external_settings: false,
		retry_schedule: null,
		health: { held: 0, pending: 0, delivered_24h: 0, failed_24h: 0 },
	});
});

const REFUSED_URLS = [
	["http://hooks.example/in", "A111 http"],
	["HTTP://hooks.example/in", "A111 http"],
	["ftp://hooks.example/in", "another scheme"],
	["javascript:alert(1)", "another scheme"],
	["hooks.example/in", "no scheme"],
	["//hooks.example/in", "no scheme"],
	["https://", "no host"],
	["", "nothing"],
	["https://user@hooks.example/", "credentials"],
	["https://user:pass@hooks.example/", "credentials"],
	["https://:pass@hooks.example/", "credentials"],
	["https://hooks.example/#part", "a fragment"],
	["https://hooks.example/#", "a fragment"],
	["https://localhost/", "a local name"],
	["https://LOCALHOST./", "a local name"],
	["https://api.localhost/", "a local name"],
	["https://crm.internal/", "a local name"],
	["https://printer.local/", "a local name"],
	["https://127.0.0.1/", "loopback"],
	["https://127.1/", "loopback"],
	["https://0x7f000001/", "loopback"],
	["https://2130706433/", "loopback"],
	["https://0.0.0.0/", "this host"],
	["https://10.1.2.3/", "private"],
	["https://172.16.0.1/", "private"],
	["https://192.168.1.1/", "private"],
	["https://100.64.0.1/", "carrier-grade NAT"],
	["https://169.254.169.254/latest/meta-data", "link-local"],
	["https://[::1]/", "loopback"],
	["https://[::]/", "this host"],
	["https://[fe80::1]/", "link-local"],
	["https://[fd00::1]/", "private"],
	["https://[::ffff:10.0.0.1]/", "private in IPv6"],
	["https://[64:ff9b::7f00:1]/", "loopback through NAT64"],
	["https://224.0.0.1/", "multicast"],
	["https://255.255.255.255/", "broadcast"],
	[`https://hooks.example/${"x".repeat(2048)}`, "too long"],
] as const;

describe.each([
	["create", (webhook_url: string) => create({ label: "x", webhook_url })],
	["update", (webhook_url: string) => update({ label: "x", webhook_url })],
] as const)("A111 on %s, a webhook URL is refused", (_, send) => {
	test.each(REFUSED_URLS)("A111 %s (%s)", async (url) => {
		await expectRefused(api, () => send(url), /^body\/webhook_url: /);
		const { body } = await api.call("getIntegration", {
			params: { integration_id: integration.id },
		});
		expect(body.label).toBe("CRM");
	});
});

test("A111 with allowHttp and allowPrivate both are taken; credentials and fragments never", async () => {
	const local = await openApi({ allowHttp: true, allowPrivate: true });
	const made = await createIntegration(local, {
		webhook_url: "http://localhost:4400/",
	});
	expect(made.webhook_url).toBe("http://localhost:4400/");
	for (const webhook_url of ["http://a:b@localhost/", "http://localhost/#x"])
		await expectRefused(
			local,
			() =>
				local.call("createIntegration", { body: { label: "x", webhook_url } }),
			/^body\/webhook_url: /,
		);
	await local.close();
});

const WRONG = [
	[{ event_ids: ["lead_exploded"] }, "event_ids"],
	[{ event_ids: "lead_created" }, "event_ids"],
	[{ event_ids: null }, "event_ids"],
	[{ on_pause: "forget" }, "on_pause"],
	[{ ordering: "random" }, "ordering"],
	[{ retry_schedule: [] }, "retry_schedule"],
	[{ retry_schedule: [-1] }, "retry_schedule"],
	[{ retry_schedule: [1.5] }, "retry_schedule"],
	[{ retry_schedule: [604_801] }, "retry_schedule"],
	[{ configuration: {} }, "configuration"],
	[{ configuration: [{ id: "x" }] }, "configuration"],
	[{ configuration: [{ id: "x", selected: [{ id: "y" }] }] }, "configuration"],
	[{ external_settings: [] }, "external_settings"],
	[
		{ external_settings: { authorisation: [{ id: 1, value: "x" }] } },
		"external_settings",
	],
	[{ api_key: "" }, "api_key"],
] as const;
test.each(WRONG)("%j is refused on create and update", async (body, member) => {
	const base = { label: "x", webhook_url: "https://hooks.example/" };
	const named = new RegExp(`^body/${member}`);
	await expectRefused(api, () => create({ ...base, ...body }), named);
	await expectRefused(api, () => update(body), named);
});

test("event_ids are kept once each, in the spec's order; an empty set is allowed", async () => {
	const event_ids = ["deal_created", "lead_created", "deal_created"];
	const { body } = await update({ event_ids });
	expect(body.event_ids).toEqual(["lead_created", "deal_created"]);
	expect((await update({ event_ids: [] })).body.event_ids).toEqual([]);
});

test("A123 the signing secret is answered by create and rotate only, and never to a read-only key", async () => {
	const params = { integration_id: integration.id };
	const { read } = api.seeded.keys;
	const rotated = await api.call("rotateIntegrationSecret", { params });
	const secrets = [integration.integration_uuid, rotated.body.integration_uuid];
	expect(new Set(secrets).size).toBe(2);
	const answers = await Promise.all([
		api.call("listIntegrations"),
		api.call("getIntegration", { params }),
		api.call("getIntegration", { params, key: read }),
		api.call("updateIntegration", { params, body: { label: "Other" } }),
		api.call("pauseIntegration", { params }),
		api.call("resumeIntegration", { params }),
	]);
	const audit = await api.service.store.read.query
		.select()
		.from(api.service.store.tables.audit);
	const text = JSON.stringify([answers, audit]);
	for (const secret of secrets) expect(text).not.toContain(secret);
	const refused = await api.call("rotateIntegrationSecret", {
		params,
		key: read,
	});
	expect(refused.status).toBe(403);
});

test("a no-op PATCH of an integration changes nothing, not even updated_at", async () => {
	const params = { integration_id: integration.id };
	const before = (await api.call("getIntegration", { params })).body;
	api.clock.advance(1000);
	for (const body of [
		{},
		{ label: before.label },
		{ api_key: null },
		{ configuration: [] },
	])
		expect((await update(body)).body).toEqual({
			...before,
			dropped_secrets: [],
		});
});

test("an integration with pending deliveries is deleted only by force", async () => {
	const made = await createIntegration(api, { label: "Doomed" });
	const params = { integration_id: made.id };
	await api.call("pauseIntegration", { params });
	await api.call("createPartner", {
		body: { name: "X", partner_type: "referral" },
	});
	const refused = await api.call("deleteIntegration", { params });
	expect([refused.status, refused.body.error.code]).toEqual([409, "conflict"]);
	expect(refused.body.error.message).toMatch(/Doomed has 1 pending/);
	const forced = await api.call("deleteIntegration", {
		params,
		query: "?force=true",
	});
	expect(forced.body).toEqual({ success: true });
	expect((await api.call("getIntegration", { params })).status).toBe(404);
});
