import { expect, test } from "vitest";
import { type OpenEmulator, openEmulator } from "./support.ts";

/** Everything that a stay at the emulator answers: records, secrets, keys, deliveries, attempts, audit. */
async function tellStory(emulator: OpenEmulator): Promise<unknown[]> {
	const { client, clock, inbox } = emulator;
	const told: unknown[] = [];
	const tell = async (answer: Promise<unknown> | unknown) =>
		told.push(await answer);
	await tell(emulator.keys);
	for (const list of [
		client.listPartners(),
		client.listUsers(),
		client.listTags(),
		client.listTiers(),
		client.listDealStages(),
		client.listCurrencies(),
		client.listApiKeys(),
	])
		await tell(list);
	const integration = await client.createIntegration({
		body: { label: "CRM", webhook_url: inbox.url() },
	});
	await tell(integration);
	await tell(
		client.createApiKey({ body: { label: "More", read: true, write: false } }),
	);
	emulator.faults.add({ kind: "500", path: "/_emulator/hooks/*", times: 2 });
	const lead = await emulator.createLead();
	await tell(lead);
	await clock.advance("PT10M");
	await tell(
		client.updateLead({
			params: { uuid: lead.uuid },
			body: { first_name: "Ada" },
		}),
	);
	await clock.advance("PT1M");
	await tell(client.listWebhookEvents());
	for (const event of (await client.listWebhookEvents()).data)
		await tell(client.getWebhookEvent({ params: { uuid: event.uuid } }));
	await tell(
		client.rotateIntegrationSecret({
			params: { integration_id: integration.id },
			body: {},
		}),
	);
	await tell(client.getWebhookLedger());
	await tell(client.listAuditLog());
	await tell(inbox.list());
	await tell(clock.state());
	const url = new RegExp(emulator.url, "g");
	// The free port is the only thing that differs.
	return JSON.parse(
		JSON.stringify(told).replace(url, "http://emulator"),
	) as unknown[];
}

test("two starts, and a start and a reset, answer the same to everything", async () => {
	const one = await openEmulator();
	const other = await openEmulator();
	const story = await tellStory(one);
	expect(await tellStory(other)).toEqual(story);
	await one.reset();
	expect(await tellStory(one)).toEqual(story);
	// The story is one: it has deliveries that failed twice before they arrived.
	expect(JSON.stringify(story).includes('"attempt_count":3')).toBe(true);
});

test("with a clock that runs the ids and keys are the same, and the times those of now", async () => {
	const frozen = await openEmulator();
	const running = await openEmulator({ startAt: undefined });
	expect(running.keys).toEqual(frozen.keys);
	expect((await running.client.listPartners()).data).toEqual(
		(await frozen.client.listPartners()).data,
	);
	const [a, b] = [await frozen.createLead(), await running.createLead()];
	expect(b.uuid).toBe(a.uuid);
	expect(running.clock.state().mode).toBe("running");
});

test("another seed is another world, and a reset goes back to it", async () => {
	const emulator = await openEmulator({
		seed: {
			company: { name: "Own" },
			users: [
				{ first_name: "Ada", last_name: "Lovelace", email: "ada@own.example" },
			],
			partners: [{ name: "Only one", partner_type: "reseller" }],
		},
	});
	const names = async () =>
		(await emulator.client.listPartners()).data.map(({ name }) => name);
	expect(await names()).toEqual(["Only one"]);
	await emulator.client.createPartner({
		body: { name: "Another", partner_type: "referral" },
	});
	expect(await names()).toHaveLength(2);
	await emulator.reset();
	expect(await names()).toEqual(["Only one"]);
});
