import type { Client } from "@partnerwire/sdk";
import {
	createTestClient,
	type Emulator,
	startEmulator,
} from "partnerwire/emulator";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

let emulator: Emulator;
let client: Client;
beforeAll(async () => {
	emulator = await startEmulator({ startAt: "2026-12-01T09:00:00Z" });
	client = createTestClient(emulator);
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

test("a lead's event arrives, although the receiver is down for a while", async () => {
	await client.createIntegration({
		body: { label: "CRM", webhook_url: emulator.inbox.url() },
	});
	emulator.faults.add({ kind: "503", path: "/_emulator/hooks/*", times: 2 });

	const partner = await client.createPartner({
		body: { name: "Globex", partner_type: "referral" },
	});
	await client.createLead({
		body: { partnership_uuid: partner.uuid, email: "ada@lovelace.example" },
	});
	await emulator.clock.advance("PT10M");

	const leads = { event_id: "lead_created" };
	const [delivery] = await emulator.inbox.waitFor(1, leads);
	expect(delivery).toMatchObject({
		verified: true,
		body: { lead: { email: "ada@lovelace.example" } },
	});
});
