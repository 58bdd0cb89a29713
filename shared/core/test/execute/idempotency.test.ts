// Requests with an Idempotency-Key (docs/decisions.md#idempotency).

import type { ResponseOf } from "@partnerwire/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
	type TestCore,
} from "#kit/database/open-core.ts";
import { newUuid } from "../../src/index.ts";

const DAY_MS = 24 * 3600 * 1000;

let core: TestCore;
let partnership_uuid: string;
let isSent: Promise<void>;
let answer: (result: ResponseOf<"testIntegration"> | Error) => void;

beforeAll(async () => {
	core = await openTestCore({
		ports: {
			fixtureOf: () => ({ lead: {} }),
			deliverOnce: () =>
				new Promise((resolve, reject) => {
					answer = (result) =>
						result instanceof Error ? reject(result) : resolve(result);
					sent();
				}),
		},
	});
	partnership_uuid = await addPartner(core, core.caller);
});
afterAll(() => core.close());

let sent: () => void;
const expectSending = () => {
	isSent = new Promise((resolve) => {
		sent = resolve;
	});
};

const createLead = (
	idempotencyKey: string,
	company_name = "Initech",
	caller = core.caller,
) =>
	core.execute(
		"createLead",
		{ body: { partnership_uuid, company_name } },
		caller,
		{
			idempotencyKey,
		},
	);
const conflict = { code: "conflict", status: 409 };

test("the same key and body replay the same answer and create one lead", async () => {
	const before = (await rowsOf(core, "lead")).length;
	const first = await createLead("same");
	expect(await createLead("same")).toEqual(first);
	expect(await rowsOf(core, "lead")).toHaveLength(before + 1);
});

test("the same key with another body is a conflict", async () => {
	await createLead("other-body");
	await expect(createLead("other-body", "Globex")).rejects.toMatchObject(
		conflict,
	);
});

test("the same body with its members in another order is the same request", async () => {
	const create = (body: object) =>
		core.execute(
			"createLead",
			{ body: body as { partnership_uuid: string } },
			core.caller,
			{ idempotencyKey: "order" },
		);
	const address = { company_name: "Initech", email: "a@initech.example" };
	const first = await create({ partnership_uuid, ...address });
	expect(await create({ ...address, partnership_uuid })).toEqual(first);
});

test("65 simultaneous copies create one lead, one audit entry and one answer", async () => {
	const counts = async () => [
		(await rowsOf(core, "lead")).length,
		(await rowsOf(core, "audit")).length,
	];
	const [leads = 0, entries = 0] = await counts();
	const answers = await Promise.all(
		Array.from({ length: 65 }, () => createLead("65")),
	);
	expect(new Set(answers.map(({ uuid }) => uuid)).size).toBe(1);
	expect(await counts()).toEqual([leads + 1, entries + 1]);
});

test("an answer is kept for 24 hours of the application clock", async () => {
	const first = await createLead("day");
	core.clock.advance(DAY_MS - 1);
	expect((await createLead("day")).uuid).toBe(first.uuid);
	core.clock.advance(2);
	expect((await createLead("day")).uuid).not.toBe(first.uuid);
});

test("nothing is kept of a refused request: the corrected one goes through under the same key", async () => {
	const before = (await rowsOf(core, "idempotency")).length;
	const refused = (uuid: string) =>
		core.execute(
			"createLead",
			{ body: { partnership_uuid: uuid } },
			core.caller,
			{
				idempotencyKey: "refused",
			},
		);
	const unknown = "0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";
	await expect(refused(unknown)).rejects.toMatchObject({ status: 400 });
	await expect(refused("nonsense")).rejects.toMatchObject({ status: 400 });
	expect(await rowsOf(core, "idempotency")).toHaveLength(before);
	await expect(refused(partnership_uuid)).resolves.toBeDefined();
});

test("a key is scoped by API key, operation and path", async () => {
	const lead = await createLead("scope");
	const other = { ...core.caller, apiKeyUuid: newUuid(core.clock()) };
	expect((await createLead("scope", "Initech", other)).uuid).not.toBe(
		lead.uuid,
	);
	const addNote = (uuid: string) =>
		core.execute(
			"createLeadNote",
			{ params: { uuid }, body: { content: "x" } },
			core.caller,
			{ idempotencyKey: "scope" },
		);
	const { uuid } = await createLead("scope-2");
	const [one, two] = [await addNote(lead.uuid), await addNote(uuid)];
	expect(one.uuid).not.toBe(two.uuid);
	expect(await addNote(lead.uuid)).toEqual(one);
});

test("the letter case of a uuid in the path makes no other request", async () => {
	const { uuid } = await createLead("letter-case");
	const addNote = (spelt: string) =>
		core.execute(
			"createLeadNote",
			{ params: { uuid: spelt }, body: { content: "x" } },
			core.caller,
			{ idempotencyKey: "letter-case" },
		);
	const first = await addNote(uuid);
	expect(await addNote(uuid.toUpperCase())).toEqual(first);
});

test("a key has 1 to 255 characters", async () => {
	await expect(createLead("x".repeat(255))).resolves.toBeDefined();
	for (const key of ["", "x".repeat(256)])
		await expect(createLead(key)).rejects.toMatchObject({ status: 400 });
});

test("only POST heeds it", async () => {
	const { uuid } = await createLead("patched");
	const rename = (company_name: string) =>
		core.execute(
			"updateLead",
			{ params: { uuid }, body: { company_name } },
			core.caller,
			{ idempotencyKey: "patch" },
		);
	await rename("One");
	expect((await rename("Two")).company_name).toBe("Two");
});

test("an answer that holds a secret is kept encrypted, and replayed whole", async () => {
	const idempotencyKey = "secret";
	const body = { label: "Key", read: true };
	const create = () =>
		core.execute("createApiKey", { body }, core.caller, { idempotencyKey });
	const first = await create();
	const answers = (await rowsOf(core, "idempotency")).map(
		(row) => row.answer ?? "",
	);
	expect(answers.some((text) => text.startsWith(`${core.cipher.keyId}.`))).toBe(
		true,
	);
	expect(answers.join()).not.toContain(first.key);
	expect(await create()).toEqual(first);
});

test("a revealed secret is never an earlier answer: each is reported in the audit log, and is the one of now", async () => {
	const { id } = await addIntegration(core, core.caller);
	const params = { integration_id: id };
	const idempotencyKey = "reveal";
	const reveal = () =>
		core.execute("revealIntegrationSecret", { params }, core.caller, {
			idempotencyKey,
		});
	const first = await reveal();
	const rotated = await core.execute(
		"rotateIntegrationSecret",
		{ params, body: {} },
		core.caller,
	);
	const second = await reveal();
	expect(second.integration_uuid).toBe(rotated.integration_uuid);
	expect(second.integration_uuid).not.toBe(first.integration_uuid);
	const reveals = (await rowsOf(core, "audit")).filter(
		(row) => row.action === "revealed",
	);
	expect(reveals).toHaveLength(2);
});

test("a copy while an action still runs is a conflict; a failed action frees the key", async () => {
	const { id } = await addIntegration(core, core.caller);
	const run = () =>
		core.execute(
			"testIntegration",
			{ params: { integration_id: id }, body: { event_id: "lead_created" } },
			core.caller,
			{ idempotencyKey: "action" },
		);
	expectSending();
	const first = run();
	await isSent;
	await expect(run()).rejects.toMatchObject({ ...conflict, retryAfterS: 1 });
	answer(new Error("the network is gone"));
	await expect(first).rejects.toThrow("the network is gone");

	expectSending();
	const second = run();
	await isSent;
	const result = { delivered: true } as ResponseOf<"testIntegration">;
	answer(result);
	expect(await second).toEqual(result);
	expect(await run()).toEqual(result);
});

test("a reservation that a killed process left is taken over after 120 seconds", async () => {
	const { id } = await addIntegration(core, core.caller);
	const run = () =>
		core.execute(
			"testIntegration",
			{ params: { integration_id: id }, body: { event_id: "lead_created" } },
			core.caller,
			{ idempotencyKey: "killed" },
		);
	expectSending();
	// This call never ends, as in a process that was killed.
	void run();
	await isSent;
	core.clock.advance(120_000);
	await expect(run()).rejects.toMatchObject(conflict);
	core.clock.advance(1);
	expectSending();
	const second = run();
	await isSent;
	const result = { delivered: true } as ResponseOf<"testIntegration">;
	answer(result);
	expect(await second).toEqual(result);
	expect(await run()).toEqual(result);
});

test.each([
	["answers", { delivered: false } as ResponseOf<"testIntegration">],
	["fails", new Error("the network is gone")],
])(
	"an action whose reservation was taken over, and that %s after all, leaves it to the one that has it",
	async (end, late) => {
		const { id } = await addIntegration(core, core.caller);
		const run = () =>
			core.execute(
				"testIntegration",
				{ params: { integration_id: id }, body: { event_id: "lead_created" } },
				core.caller,
				{ idempotencyKey: `late ${end}` },
			);
		expectSending();
		const first = run();
		await isSent;
		const answerFirst = answer;
		core.clock.advance(120_001);
		expectSending();
		const second = run();
		await isSent;
		answerFirst(late);
		await expect(first).rejects.toMatchObject(
			late instanceof Error ? { message: late.message } : conflict,
		);
		await expect(run(), "the second still runs").rejects.toMatchObject(
			conflict,
		);
		const result = { delivered: true } as ResponseOf<"testIntegration">;
		answer(result);
		expect(await second).toEqual(result);
		expect(await run()).toEqual(result);
	},
);
