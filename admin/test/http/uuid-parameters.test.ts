import { isUuid, MAX_UUID, NIL_UUID } from "@partnerwire/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createLead, createPartner, UNKNOWN_UUID } from "../support/records.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

const withVersion = (digit: string) =>
	`0192a1b2-c3d4-${digit}e5f-8a6b-7c8d9e0f1a2b`;
const withVariant = (digit: string) =>
	`0192a1b2-c3d4-7e5f-${digit}a6b-7c8d9e0f1a2b`;
const statusOf = async (uuid: string) =>
	(await api.request("GET", `/v1/leads/${uuid}`)).status;

test.each([..."12345678"])(
	"A011 a path uuid of version %s passes: unknown is 404",
	async (digit) => {
		expect(await statusOf(withVersion(digit))).toBe(404);
	},
);

test.each([..."09aF"])(
	"A012 a path uuid of version %s answers 400",
	async (digit) => {
		const { status, body } = await api.request(
			"GET",
			`/v1/leads/${withVersion(digit)}`,
		);
		expect([status, body.error.code]).toEqual([400, "validation_error"]);
		expect(body.error.message).toContain("path/uuid");
	},
);

test.each([..."89abAB"])(
	"A013 variant %s passes: unknown is 404",
	async (digit) => {
		expect(await statusOf(withVariant(digit))).toBe(404);
	},
);

test.each([..."c70CfF"])("A013 variant %s answers 400", async (digit) => {
	expect(await statusOf(withVariant(digit))).toBe(400);
});

test("A015 the all-f uuid, in either case, and the all-zero one answer 404", async () => {
	for (const uuid of [MAX_UUID, MAX_UUID.toUpperCase(), NIL_UUID])
		expect([uuid, await statusOf(uuid)]).toEqual([uuid, 404]);
});

test("A016 a malformed subUuid answers 400, also under an unknown uuid", async () => {
	for (const parent of ["leads", "deals"]) {
		const { status, body } = await api.request(
			"DELETE",
			`/v1/${parent}/${UNKNOWN_UUID}/notes/nonsense`,
		);
		expect([status, body.error.code]).toEqual([400, "validation_error"]);
		expect(body.error.message).toContain("path/subUuid");
	}
});

test("a record answers to its uuid in either letter case", async () => {
	const partner = await createPartner(api);
	const lead = await createLead(api, partner.uuid.toUpperCase());
	const answer = await api.request(
		"GET",
		`/v1/leads/${lead.uuid.toUpperCase()}`,
	);
	expect(answer.body).toEqual(lead);
});

test("the rule of the contract is the rule of the paths", async () => {
	const hex = (length: number) =>
		fc.string({
			unit: fc.constantFrom(..."0123456789abcdefABCDEF"),
			minLength: length,
			maxLength: length,
		});
	const shaped = fc
		.tuple(hex(8), hex(4), hex(4), hex(4), hex(12))
		.map((parts) => parts.join("-"));
	const odd = fc.constantFrom(
		"",
		"x",
		"%00",
		"%2F",
		"..%2f",
		"%zz",
		"é",
		"a b",
	);
	const suffixed = fc.tuple(shaped, odd).map((parts) => parts.join(""));
	await fc.assert(
		fc.asyncProperty(fc.oneof(shaped, suffixed), async (uuid) => {
			expect(await statusOf(uuid)).toBe(isUuid(uuid) ? 404 : 400);
		}),
		{ numRuns: 150 },
	);
});
