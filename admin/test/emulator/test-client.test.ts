import { items } from "@partnerwire/sdk";
import { createTestClient } from "partnerwire/emulator";
import { expect, test } from "vitest";
import { openEmulator } from "./support.ts";

const OTHER_SEED = {
	company: { name: "Own" },
	users: [
		{ first_name: "Ada", last_name: "Lovelace", email: "ada@own.example" },
	],
	// The first key is the one that only read before.
	keys: [
		{ label: "Full", read: true, write: true },
		{ label: "Write", read: false, write: true },
		{ label: "Read", read: true, write: false },
	],
	partners: [{ name: "Globex", partner_type: "referral" as const }],
};

test("a client for tests calls with the emulator's key, after a reset to another seed too", async () => {
	const emulator = await openEmulator();
	const client = createTestClient(emulator);
	const { full } = emulator.keys;
	expect((await client.listPartners()).data.length).toBeGreaterThan(1);
	await emulator.reset(OTHER_SEED);
	expect(emulator.keys.full).not.toBe(full);
	expect((await client.listPartners()).data).toMatchObject([
		{ name: "Globex" },
	]);
});

test("it uses the key that it is told to use", async () => {
	const emulator = await openEmulator();
	const reader = createTestClient(emulator, { key: "read" });
	expect((await reader.listLeads()).data).toBeDefined();
	await expect(
		reader.createPartner({ body: { name: "X", partner_type: "referral" } }),
	).rejects.toMatchObject({ code: "forbidden", status: 403 });
});

test("it shows a fault instead of repeating the call, unless it is told to", async () => {
	const emulator = await openEmulator();
	const client = createTestClient(emulator);
	for (const [kind, status] of [
		["429", 429],
		["500", 500],
		["503", 503],
	] as const) {
		emulator.faults.add({ kind, operation_id: "listLeads", retry_after_s: 9 });
		await expect(client.listLeads()).rejects.toMatchObject({ status });
		expect((await client.listLeads()).data).toBeDefined();
	}
	emulator.faults.add({ kind: "drop", operation_id: "listLeads" });
	await expect(client.listLeads()).rejects.toThrow("fetch failed");

	const patient = createTestClient(emulator, { retries: 1 });
	emulator.faults.add({ kind: "drop", operation_id: "listLeads" });
	expect((await patient.listLeads()).data).toBeDefined();
});

test("its own fetch sends the requests", async () => {
	const emulator = await openEmulator();
	const sent: string[] = [];
	const client = createTestClient(emulator, {
		fetch: (url, init) => {
			sent.push(String(url));
			return fetch(url, init);
		},
	});
	await client.listLeads();
	expect(sent).toEqual([`${emulator.url}/v1/leads`]);
});

test("records are listed once each while others are created, and archived as they are listed", async () => {
	const emulator = await openEmulator();
	const client = createTestClient(emulator);
	for (let n = 0; n < 12; n++) await emulator.createLead(`a${n}@old.example`);
	const search = "@old.example";

	const seen: (string | null)[] = [];
	for await (const lead of items(client.listLeads, {
		query: { search: ".example", per_page: 5 },
	})) {
		seen.push(lead.email);
		if (seen.length < 20)
			await emulator.createLead(`b${seen.length}@new.example`);
	}
	expect(new Set(seen).size).toBe(seen.length);
	expect(seen).toEqual(
		expect.arrayContaining(
			Array.from({ length: 12 }, (_, n) => `a${n}@old.example`),
		),
	);

	let archived = 0;
	for await (const { uuid } of items(client.listLeads, {
		query: { search, per_page: 5 },
	})) {
		await client.archiveLead({ params: { uuid } });
		archived++;
	}
	expect(archived).toBe(12);
	expect((await client.listLeads({ query: { search } })).data).toEqual([]);
});
