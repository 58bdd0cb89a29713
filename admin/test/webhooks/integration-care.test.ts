import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	CERTIFICATE,
	EXPIRED_CERTIFICATE,
	KEY,
} from "#kit/endpoints/certificates.ts";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration, createPartner } from "../support/records.ts";
import { countRows } from "../support/row-counts.ts";

const HOUR_MS = 3_600_000;

let api: Api;
beforeAll(async () => {
	api = await openApi({ allowPrivate: true, ca: CERTIFICATE });
});
afterAll(() => api.close());

/** The only entry of the audit log that says of a record that this was done. */
async function entryOf(uuid: string, action: string) {
	const { body } = await api.request(
		"GET",
		`/v1/audit-log?entity_uuid=${uuid}&action=${action}`,
	);
	expect(body.data).toHaveLength(1);
	return body.data[0];
}

/** The form of a secret for the libraries of Standard Webhooks. */
const whsec = (secret: string) =>
	`whsec_${Buffer.from(secret).toString("base64")}`;

test("A123 the secret is revealed to a key that may write, and the audit log says who looked", async () => {
	const made = await createIntegration(api);
	const params = { integration_id: made.id };
	const reveal = (init = {}) =>
		api.call("revealIntegrationSecret", { params, ...init });
	const { headers, body } = await reveal();
	expect(body).toEqual({
		integration_uuid: made.integration_uuid,
		next_integration_uuid: null,
		standard_webhooks_secret: whsec(made.integration_uuid),
		next_standard_webhooks_secret: null,
		cutover_at: null,
	});
	expect(headers.get("cache-control")).toBe("no-store");
	const entry = await entryOf(made.id, "revealed");
	expect(entry.changes).toEqual([]);
	expect(JSON.stringify(entry)).not.toContain(made.integration_uuid);
	expect((await reveal({ key: api.seeded.keys.read })).status).toBe(403);
	const stranger = (await api.addCompany()).keys.full;
	expect((await reveal({ key: stranger })).status).toBe(404);
});

test("a planned rotation is seen by everybody, its secret only when it is revealed, until the cutover", async () => {
	const made = await createIntegration(api);
	const params = { integration_id: made.id };
	const cutover_at = new Date(api.clock() + HOUR_MS).toISOString();
	const rotated = await api.call("rotateIntegrationSecret", {
		params,
		body: { cutover_at },
	});
	expect(rotated.body.secret_cutover_at).toBe(cutover_at);
	const next = rotated.body.integration_uuid;
	const read = async () =>
		(await api.call("getIntegration", { params })).body.secret_cutover_at;
	const reveal = async () =>
		(await api.call("revealIntegrationSecret", { params })).body;
	expect(await read()).toBe(cutover_at);
	expect(await reveal()).toEqual({
		integration_uuid: made.integration_uuid,
		next_integration_uuid: next,
		standard_webhooks_secret: whsec(made.integration_uuid),
		next_standard_webhooks_secret: whsec(next),
		cutover_at,
	});
	expect((await entryOf(made.id, "rotated")).changes).toMatchObject([
		{ field: "secret_cutover_at", old: null, new: cutover_at },
	]);
	api.clock.advance(HOUR_MS);
	expect(await read()).toBeNull();
	expect(await reveal()).toEqual({
		integration_uuid: next,
		next_integration_uuid: null,
		standard_webhooks_secret: whsec(next),
		next_standard_webhooks_secret: null,
		cutover_at: null,
	});
});

test("health tells the attempts of the last 24 hours, hour by hour, and their sums are the totals", async () => {
	const made = await createIntegration(api);
	const { store } = api.service;
	const { integration, deliveryRollup } = store.tables;
	const rows = await store.read.query.select().from(integration);
	const id = rows.find(({ uuid }) => uuid === made.id)?.id as number;
	const thisHour = api.clock() - (api.clock() % HOUR_MS);
	const counts = [
		[0, 5, 1],
		[1, 7, 0],
		[23, 2, 3],
		[24, 100, 100],
	] as const;
	await store.write(async ({ query }) => {
		for (const [ago, delivered, failed] of counts)
			await query.insert(deliveryRollup).values({
				integrationId: id,
				hourAt: thisHour - ago * HOUR_MS,
				delivered,
				failed,
			});
	});
	const params = { integration_id: made.id };
	const { health } = (await api.call("getIntegration", { params })).body;
	expect(health.hours).toHaveLength(24);
	expect(health.hours[0]).toEqual({
		hour: new Date(thisHour - 23 * HOUR_MS).toISOString(),
		delivered: 2,
		failed: 3,
	});
	expect(health.hours[1]).toMatchObject({ delivered: 0, failed: 0 });
	expect(health.hours.at(-1)).toMatchObject({ delivered: 5, failed: 1 });
	expect([health.delivered_24h, health.failed_24h]).toEqual([14, 4]);
	const { body } = await api.call("listIntegrations");
	expect(body.data.find((one: { id: string }) => one.id === made.id)).toEqual(
		(await api.call("getIntegration", { params })).body,
	);
});

test("a resume is previewed: how many go, from which to which, and how long that takes", async () => {
	const made = await createIntegration(api, { max_per_second: 20 });
	const params = { integration_id: made.id };
	const preview = async (query = "") =>
		(await api.call("previewIntegrationResume", { params, query })).body;
	const none = { held: 0, first: null, last: null, seconds: 0 };
	expect(await preview()).toEqual({ ...none, rate_per_second: 20 });
	await api.call("pauseIntegration", { params });
	expect(await preview()).toEqual({ ...none, rate_per_second: 20 });
	for (const name of ["First", "Second", "Third"]) {
		api.clock.advance(1000);
		await createPartner(api, { name });
	}
	const { body: page } = await api.request(
		"GET",
		`/v1/webhook-events?integration_id=${made.id}`,
	);
	const named = [2, 0].map((index) => {
		const { uuid, event_id, created_at } = page.data[index];
		return { uuid, event_id, created_at };
	});
	expect(await preview("?rate_per_second=2")).toEqual({
		held: 3,
		first: named[0],
		last: named[1],
		rate_per_second: 2,
		seconds: 2,
	});
	expect((await preview("?rate_per_second=500")).rate_per_second).toBe(20);
	const wrong = await api.call("previewIntegrationResume", {
		params,
		query: "?rate_per_second=0",
	});
	expect(wrong.status).toBe(400);
	await api.call("resumeIntegration", { params });
	expect(await preview()).toMatchObject(none);
});

test("integrations are found by their label, URL and status, and by what somebody should look at", async () => {
	const label = "Straße 50% off";
	const found = await createIntegration(api, { label });
	const paused = await createIntegration(api, {
		webhook_url: "https://needle.example/",
	});
	await api.call("pauseIntegration", { params: { integration_id: paused.id } });
	const { store } = api.service;
	const { integration } = store.tables;
	const idsOf = async (query: string) =>
		(
			await api.call("listIntegrations", { query: `?per_page=100&${query}` })
		).body.data.map((one: { id: string }) => one.id);
	expect(await idsOf("search=straSSE")).toEqual([]);
	expect(await idsOf(`search=${encodeURIComponent("STRAßE 50%")}`)).toEqual([
		found.id,
	]);
	expect(await idsOf("search=needle")).toEqual([paused.id]);
	expect(await idsOf("status=paused")).toContain(paused.id);
	expect(await idsOf("status=active")).not.toContain(paused.id);
	expect(await idsOf("attention=true")).toEqual([]);
	const all = (await idsOf("")).length;
	expect(await idsOf("attention=false")).toHaveLength(all);
	await store.write(async ({ query }) => {
		const rows = await query.select().from(integration);
		for (const { id, uuid } of rows) {
			const columns =
				uuid === found.id
					? { failingSince: 1 }
					: uuid === paused.id && { pauseReason: "gone" };
			if (columns)
				await query
					.update(integration)
					.set(columns)
					.where(eq(integration.id, id));
		}
	});
	expect((await idsOf("attention=true")).sort()).toEqual(
		[found.id, paused.id].sort(),
	);
});

test("a webhook event shows what goes around its body, without the token and with masked claims", async () => {
	const made = await createIntegration(api, {
		api_key: "key-of-the-crm",
		external_settings: { authorisation: [{ id: "token", value: "s3cret" }] },
	});
	await createPartner(api);
	const { body: page } = await api.request(
		"GET",
		`/v1/webhook-events?integration_id=${made.id}`,
		{ key: api.seeded.keys.read },
	);
	const [{ uuid, sequence }] = page.data;
	const { body } = await api.call("getWebhookEvent", {
		params: { uuid },
		key: api.seeded.keys.read,
	});
	expect(body.request).toMatchObject({
		url: made.webhook_url,
		headers: {
			"content-type": "application/json",
			authorization: "Bearer ***",
		},
		claims: {
			jti: uuid,
			sequence,
			event_id: "partner_created",
			api_key: "***",
			external_settings: { authorisation: [{ id: "token", value: "***" }] },
		},
	});
	for (const secret of ["key-of-the-crm", "s3cret", made.integration_uuid])
		expect(JSON.stringify(body)).not.toContain(secret);
});

test("a webhook URL is checked now, by whoever may write; each problem has its own sentence, and nothing is stored", async () => {
	const server = createServer({ key: KEY, cert: EXPIRED_CERTIFICATE });
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	const { port } = server.address() as AddressInfo;
	const before = await countRows(api);
	const failureOf = async (webhook_url: string) => {
		const { status, body } = await api.call("probeWebhookUrl", {
			body: { webhook_url },
		});
		expect([status, body.ok, body.webhook_url]).toEqual([
			200,
			false,
			webhook_url,
		]);
		return body.checks.at(-1);
	};
	const failures = [
		await failureOf("http://crm.example/"),
		await failureOf("https://0.0.0.0/"),
		await failureOf("https://127.0.0.1:1/"),
		await failureOf(`https://127.0.0.1:${port}/`),
	];
	expect(failures.map(({ name }) => name)).toEqual([
		"url",
		"address",
		"connect",
		"tls",
	]);
	expect(new Set(failures.map(({ message }) => message)).size).toBe(4);
	expect(await countRows(api)).toEqual(before);
	const refused = await api.call("probeWebhookUrl", {
		body: { webhook_url: "https://crm.example/" },
		key: api.seeded.keys.read,
	});
	expect(refused.status).toBe(403);
	await new Promise((done) => server.close(done));
});
