/* A user's test file in Jest. jest.full.test.ts installs the packages beside it and runs it. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createClient } from "@partnerwire/sdk";
import { EmulatorError, startEmulator } from "partnerwire/emulator";

let emulator;
let client;
beforeAll(async () => {
	emulator = await startEmulator();
	client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.full });
});
afterAll(() => emulator.close());

const post = (path, body) =>
	fetch(emulator.url + path, {
		method: "POST",
		headers: {
			authorization: `Bearer ${emulator.keys.full}`,
			accept: "application/json, text/event-stream",
			"content-type": "application/json",
		},
		body: JSON.stringify(body),
	});

/* Jest gives each test file a realm of its own. Errors and bytes of another realm are no instances of this realm's classes. */
test("what is refused is an error that a test can tell", async () => {
	await expect(
		emulator.inbox.waitFor(1, { timeoutMs: 1 }),
	).rejects.toBeInstanceOf(EmulatorError);
	expect(() => emulator.faults.add({ kind: "none" })).toThrow("kind");
	await expect(startEmulator({ host: "0.0.0.0" })).rejects.toThrow("machine");
	await expect(startEmulator({ seed: "none.json" })).rejects.toThrow("read");
	await expect(startEmulator({ seed: {} })).rejects.toThrow("seed/company");
	await expect(
		client.createPartner({ body: { name: "", partner_type: "referral" } }),
	).rejects.toMatchObject({ code: "validation_error" });
	expect((await post("/v1/leads", "{")).status).toBe(400);
});

test("secrets are encrypted, revealed, and sign", async () => {
	const body = { label: "CRM", webhook_url: emulator.inbox.url("crm") };
	const { id, integration_uuid } = await client.createIntegration({ body });
	const path = `/api/v1/integrations/${id}`;
	expect(await (await post(`${path}/reveal-secret`)).json()).toMatchObject({
		integration_uuid,
	});
	const sent = await post(`${path}/test`, { event_id: "deal_created" });
	expect(await sent.json()).toMatchObject({ delivered: true });
	const [delivery] = await emulator.inbox.waitFor(1, { name: "crm" });
	expect(delivery).toMatchObject({ verified: true, event_id: "deal_created" });
});

test("the clock moves", async () => {
	await emulator.clock.freeze("2027-01-01T00:00:00Z");
	await emulator.clock.advance("PT1M");
	expect(emulator.clock.state()).toEqual({
		now: "2027-01-01T00:01:00.000Z",
		mode: "frozen",
	});
	await emulator.clock.set(new Date("2027-02-01"));
	await emulator.clock.resume();
	expect(emulator.clock.state()).toMatchObject({ mode: "running" });
});

test("the dashboard, the documentation and MCP are there", async () => {
	const headers = { accept: "text/html, application/json" };
	for (const path of ["/", "/docs/", "/docs/api/", "/openapi.json"]) {
		const { status } = await fetch(emulator.url + path, { headers });
		expect([path, status]).toEqual([path, 200]);
	}
	const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
	expect((await post("/mcp", list)).status).toBe(200);
});
