import { isUuid } from "@partnerwire/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createOneOfEach, type OneOfEach } from "../support/records.ts";

let api: Api;
let made: OneOfEach;
let answers: unknown[];

beforeAll(async () => {
	api = await openApi();
	made = await createOneOfEach(api, api.seeded.keys.full);
	const paths = [
		"/v1/partners",
		"/v1/leads",
		"/v1/deals",
		"/v1/integrations",
		"/v1/api-keys",
		`/v1/leads/${made.lead.uuid}/notes`,
		`/v1/deals/${made.deal.uuid}/notes`,
	];
	const lists = await Promise.all(
		paths.map((path) => api.request("GET", path)),
	);
	answers = [...Object.values(made), ...lists.map(({ body }) => body)];
});
afterAll(() => api.close());

/** Every member at any depth, by name. */
function* membersOf(value: unknown): Generator<[string, unknown]> {
	if (typeof value !== "object" || value === null) return;
	for (const [name, member] of Object.entries(value)) {
		if (!Array.isArray(value)) yield [name, member];
		yield* membersOf(member);
	}
}

test("A019 every uuid and *_uuid in a response is a uuid or null", () => {
	const found = [...membersOf(answers)].filter(([name]) =>
		/(^|_)uuid$/.test(name),
	);
	expect(found.length).toBeGreaterThan(20);
	for (const [name, value] of found)
		expect([name, value === null || isUuid(value as string)]).toEqual([
			name,
			true,
		]);
});

test("records have UUIDv7 ids; the signing secret is a UUIDv4", () => {
	for (const { uuid, id } of Object.values(made) as Record<string, string>[])
		expect((uuid ?? id)?.[14]).toBe("7");
	expect(made.integration.integration_uuid[14]).toBe("4");
});

test("A020 created_at and updated_at are strings: ISO 8601, UTC, milliseconds", () => {
	const found = [...membersOf(answers)].filter(([name]) =>
		/^(created|updated)_at$/.test(name),
	);
	expect(found.length).toBeGreaterThan(20);
	for (const [, value] of found)
		expect(value).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("every answer was held against its schema: members without a value are null, arrays are never null", () => {
	expect(made.lead).toMatchObject({
		email: null,
		stage: null,
		distributor: null,
		archived_at: null,
		tags: [],
		contacts: [],
		custom_fields: [],
	});
	expect(made.deal).toMatchObject({
		label: "Initech",
		deal_value: null,
		currency: null,
	});
});
