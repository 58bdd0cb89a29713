// A change, its audit entry, its event and its deliveries are written in one transaction.

import { afterEach, beforeEach, expect, test } from "vitest";
import { tamper } from "#kit/database/database.ts";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
	type TestCore,
} from "#kit/database/open-core.ts";

let core: TestCore;
let partnership_uuid: string;
beforeEach(async () => {
	core = await openTestCore();
	partnership_uuid = await addPartner(core, core.caller);
});
afterEach(() => core.close());

const createLead = (company_name = "Initech") =>
	core.execute(
		"createLead",
		{ body: { partnership_uuid, company_name } },
		core.caller,
	);

const counts = async () => {
	const names = [
		"lead",
		"note",
		"audit",
		"event",
		"delivery",
		"idempotency",
	] as const;
	const all = await Promise.all(names.map((name) => rowsOf(core, name)));
	return Object.fromEntries(names.map((name, at) => [name, all[at]?.length]));
};

test("a change is written with its audit entry, its event and one delivery per subscriber", async () => {
	await addIntegration(core, core.caller);
	await addIntegration(core, core.caller, { event_ids: ["lead_created"] });
	await addIntegration(core, core.caller, { event_ids: ["deal_created"] });
	await addIntegration(core, core.caller, { event_ids: [] });
	await addIntegration(core, await core.addCaller());
	const before = await counts();
	const lead = await createLead();
	expect(await counts()).toEqual({
		...before,
		lead: Number(before.lead) + 1,
		audit: Number(before.audit) + 1,
		event: Number(before.event) + 1,
		delivery: Number(before.delivery) + 2,
	});
	const entry = (await rowsOf(core, "audit")).find(
		(row) => row.entityUuid === lead.uuid,
	);
	expect(entry).toMatchObject({
		entity: "lead",
		action: "created",
		actor: "Mara Lind",
		actorUuid: core.caller.userUuid,
		companyUuid: core.caller.companyUuid,
	});
	expect(entry?.changes).toContainEqual({
		entity: "lead",
		field: "company_name",
		old: null,
		new: "Initech",
		label: "company name",
		ref_uuid: null,
	});
	expect(entry?.changes).toContainEqual(
		expect.objectContaining({
			field: "partnership",
			new: "Globex",
			ref_uuid: partnership_uuid,
		}),
	);
});

test("without a subscriber there is an audit entry and no event", async () => {
	const before = await counts();
	await createLead();
	const after = await counts();
	expect([after.audit, after.event]).toEqual([
		Number(before.audit) + 1,
		before.event,
	]);
});

test("when the outbox fails there is no lead, no audit entry and no event, nor a used Idempotency-Key", async () => {
	await addIntegration(core, core.caller);
	const before = await counts();
	await tamper(core.path, "alter table delivery rename to stolen");
	const attempts = await Promise.allSettled([
		createLead(),
		core.execute("createLead", { body: { partnership_uuid } }, core.caller, {
			idempotencyKey: "k",
		}),
	]);
	expect(attempts.map(({ status }) => status)).toEqual([
		"rejected",
		"rejected",
	]);
	await tamper(core.path, "alter table stolen rename to delivery");
	expect(await counts()).toEqual(before);
	await createLead();
	const [delivery] = (await rowsOf(core, "delivery")).slice(-1);
	expect(delivery?.sequence).toBe(1);
});

test("sequences are gap-free under concurrency, refused writes among them", async () => {
	const integrations = [
		await addIntegration(core, core.caller),
		await addIntegration(core, core.caller, { event_ids: ["lead_created"] }),
	];
	const writes = Array.from({ length: 60 }, (_, n) =>
		n % 3 === 2
			? core.execute(
					"createLead",
					{
						body: { partnership_uuid: "0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b" },
					},
					core.caller,
				)
			: createLead(`Lead ${n}`),
	);
	const outcomes = await Promise.allSettled(writes);
	expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(
		20,
	);
	const rows = await rowsOf(core, "integration");
	const deliveries = await rowsOf(core, "delivery");
	for (const { id } of integrations) {
		const row = rows.find(({ uuid }) => uuid === id);
		const sequences = deliveries
			.filter(({ integrationId }) => integrationId === row?.id)
			.map(({ sequence }) => sequence)
			.sort((a, b) => a - b);
		expect(sequences).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
		expect(row?.sequence).toBe(40);
	}
});

test("a no-op PATCH writes no audit entry and no event", async () => {
	await addIntegration(core, core.caller);
	const lead = await createLead();
	const before = await counts();
	core.clock.advance(1000);
	for (const body of [
		{},
		{ company_name: "Initech" },
		{ email: null, status: "new" } as const,
	])
		expect(
			await core.execute(
				"updateLead",
				{ params: { uuid: lead.uuid }, body },
				core.caller,
			),
		).toEqual(lead);
	expect(await counts()).toEqual(before);
});

test("a payload over 256 KiB is recorded as failed, is never sent, and does not block its lane", async () => {
	const value = "x".repeat(4096);
	const selected = Array.from({ length: 64 }, (_, n) => ({
		id: `${n}`,
		value,
	}));
	const { id } = await addIntegration(core, core.caller, {
		configuration: [{ id: "large", selected }],
	});
	const lead = await createLead();
	const [delivery] = await rowsOf(core, "delivery");
	expect(delivery).toMatchObject({
		state: "failed",
		ready: false,
		attempts: 0,
		sequence: 1,
	});
	expect(delivery?.lastError).toMatch(/262144/);
	const params = { integration_id: id };
	const health = (await core.execute("getIntegration", { params }, core.caller))
		.health;
	expect(health).toMatchObject({ pending: 0, held: 0 });
	await core.execute(
		"updateIntegration",
		{ params, body: { configuration: [] } },
		core.caller,
	);
	await core.execute(
		"updateLead",
		{ params: { uuid: lead.uuid }, body: { email: "a@b" } },
		core.caller,
	);
	const [, next] = await rowsOf(core, "delivery");
	expect(next).toMatchObject({ state: "pending", ready: true, sequence: 2 });
});

test("audit entries never hold a secret, and foreign keys appear as labels", async () => {
	const made = await addIntegration(core, core.caller, {
		api_key: "the-api-key",
		external_settings: { authorisation: [{ id: "a", value: "the-setting" }] },
	});
	const params = { integration_id: made.id };
	const { key } = await core.execute(
		"createApiKey",
		{ body: { label: "x", read: true } },
		core.caller,
	);
	const rotated = await core.execute(
		"rotateIntegrationSecret",
		{ params },
		core.caller,
	);
	await core.execute("pauseIntegration", { params }, core.caller);
	await core.execute("resumeIntegration", { params }, core.caller);
	const entries = await rowsOf(core, "audit");
	const text = JSON.stringify(entries);
	for (const secret of [
		made.integration_uuid,
		rotated.integration_uuid,
		key,
		"the-api-key",
		"the-setting",
	])
		expect(text).not.toContain(secret);
	const actions = entries
		.filter(({ entity }) => entity === "integration")
		.map(({ action }) => action);
	expect(actions.sort()).toEqual(["created", "paused", "resumed", "rotated"]);
});

test("simultaneous edits of different members both hold, and the audit chain shows both", async () => {
	const { uuid } = await createLead();
	const edits = [
		{ email: "a@x.example" },
		{ source: "fair" },
		{ website: "https://x.example" },
	];
	await Promise.all(
		edits.map((body) =>
			core.execute("updateLead", { params: { uuid }, body }, core.caller),
		),
	);
	const lead = await core.execute("getLead", { params: { uuid } }, core.caller);
	expect(lead).toMatchObject(Object.assign({}, ...edits));
	const updates = (await rowsOf(core, "audit")).filter(
		({ entityUuid, action }) => entityUuid === uuid && action === "updated",
	);
	const fields = updates.flatMap(({ changes }) =>
		changes.map(({ field }) => field),
	);
	expect(fields.sort()).toEqual(["email", "source", "website"]);
});
