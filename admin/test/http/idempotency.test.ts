import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createPartner } from "../support/records.ts";
import { countRows, expectRefused } from "../support/row-counts.ts";

let api: Api;
let partnership_uuid: string;
beforeAll(async () => {
	api = await openApi();
	partnership_uuid = (await createPartner(api)).uuid;
});
afterAll(() => api.close());

const create = (key: string, company_name: string) =>
	api.call("createLead", {
		body: { partnership_uuid, company_name },
		headers: { "idempotency-key": key },
	});

test("64 copies on 64 connections are one lead and 64 equal answers", async () => {
	const before = await countRows(api);
	const answers = await Promise.all(
		Array.from({ length: 64 }, () => create("copies", "Initech")),
	);
	expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
	expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
	expect((await countRows(api)).lead).toBe(Number(before.lead) + 1);
});

test("another body under the same key is 409 conflict and writes nothing", async () => {
	await create("other", "Initech");
	const before = await countRows(api);
	const { status, body } = await create("other", "Globex");
	expect([status, body.error.code]).toEqual([409, "conflict"]);
	expect(await countRows(api)).toEqual(before);
});

test("a key of more than 255 characters is 400, and an empty one too", async () => {
	for (const key of ["x".repeat(256), ""])
		await expectRefused(api, () => create(key, "Initech"), "Idempotency-Key");
});

test("the secret of an integration is replayed whole", async () => {
	const send = () =>
		api.call("createIntegration", {
			body: { label: "CRM", webhook_url: "https://hooks.example/" },
			headers: { "idempotency-key": "secret" },
		});
	const first = await send();
	expect((await send()).body).toEqual(first.body);
	expect(first.body.integration_uuid).toMatch(/^[0-9a-f-]{36}$/);
});
