import { afterAll, beforeAll, expect, test } from "vitest";
import { tamper } from "#kit/database/database.ts";
import { type Api, openApi } from "#kit/program/api.ts";
import { sendRaw } from "../support/raw-http.ts";
import { createPartner, UNKNOWN_UUID } from "../support/records.ts";
import { expectRefused } from "../support/row-counts.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

test("A125 one message names every invalid member, of the body and of nested members", async () => {
	const { body } = await expectRefused(api, () =>
		api.call("createPartner", { body: { email: "nobody", partner_type: "x" } }),
	);
	expect(
		body.error.details.map(({ field }: { field: string }) => field).sort(),
	).toEqual(["body/email", "body/name", "body/partner_type"]);
	for (const { field, message } of body.error.details)
		expect(body.error.message).toContain(`${field}: ${message}`);
	const reasons = body.error.details.map(
		({ field, reason }: { field: string; reason: string }) => [field, reason],
	);
	expect(Object.fromEntries(reasons)).toEqual({
		"body/name": "missing_required",
		"body/email": "invalid_value",
		"body/partner_type": "invalid_value",
	});
});

test("A125 path and body are reported together", async () => {
	const { body } = await expectRefused(api, () =>
		api.call("updateLead", {
			params: { uuid: "nonsense" },
			body: { status: "won" },
		}),
	);
	expect(body.error.message).toMatch(/path\/uuid: .*body\/status: /);
});

test("A078 POST /leads without partnership_uuid answers 400 and names it", async () => {
	const { body } = await expectRefused(
		api,
		() => api.call("createLead", { body: { company_name: "Initech" } }),
		"body/partnership_uuid: is required",
	);
	expect(body.error.details).toHaveLength(1);
});

test("A008 partner_type takes exactly referral, reseller and distributor", async () => {
	for (const type of ["referral", "reseller", "distributor"])
		expect(
			(await createPartner(api, { partner_type: type })).partner_type,
		).toBe(type);
	for (const type of ["Referral", "", "agency", null, 1, ["referral"]])
		await expectRefused(
			api,
			() =>
				api.call("createPartner", { body: { name: "X", partner_type: type } }),
			"body/partner_type",
		);
});

test("A128 an unknown record answers 404 not_found and names what it is", async () => {
	const nouns = {
		getPartner: "partner",
		getLead: "lead",
		getDeal: "deal",
	} as const;
	for (const [id, noun] of Object.entries(nouns)) {
		const { status, body } = await api.call(id as keyof typeof nouns, {
			params: { uuid: UNKNOWN_UUID },
		});
		expect([status, body.error]).toEqual([
			404,
			{ code: "not_found", message: `${noun} not found` },
		]);
	}
});

test("A128 an archived record is still read, but takes no writes", async () => {
	const { uuid } = await createPartner(api);
	const params = { uuid };
	expect((await api.call("archivePartner", { params })).body).toEqual({
		success: true,
	});
	const { body } = await api.call("getPartner", { params });
	expect(body.archived_at).toBe("2026-11-27T12:00:00.000Z");
	const again = await api.call("archivePartner", { params });
	const update = await api.call("updatePartner", {
		params,
		body: { name: "Y" },
	});
	expect([again.status, update.status]).toEqual([404, 404]);
	const listed = async (query: string) =>
		JSON.stringify((await api.call("listPartners", { query })).body);
	expect(await listed("?per_page=100")).not.toContain(uuid);
	expect(await listed("?archived=true")).toContain(uuid);
});

const LONG = "x".repeat(20_000);
test.each([
	["a request line that is none", "NONSENSE\r\n\r\n", "is not valid HTTP"],
	[
		"a header without a name",
		"GET /v1/partners HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
		"is not valid HTTP",
	],
	[
		"20 kB of headers",
		`GET /v1/partners HTTP/1.1\r\nHost: x\r\nX-Long: ${LONG}\r\n\r\n`,
		"headers are too large",
	],
])(
	"%s is a 400 in the envelope, and the connection ends",
	async (_, bytes, message) => {
		const answer = await sendRaw(api.url, (send) => send(bytes));
		const [head = "", body = ""] = answer.split("\r\n\r\n");
		expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
		expect(JSON.parse(body)).toEqual({
			error: {
				code: "validation_error",
				message: expect.stringContaining(message),
				details: [],
			},
		});
	},
);

test("A129 a forced internal failure answers 500 internal_error without stack or SQL", async () => {
	const broken = await openApi();
	const partner = await createPartner(broken);
	// Somebody pulls a table away from under the service: drizzle's error would quote the statement and its values.
	await tamper(broken.database, "ALTER TABLE lead RENAME TO stolen");
	const write = await broken.call("createLead", {
		body: { partnership_uuid: partner.uuid, company_name: "Secretive Ltd" },
		headers: { "idempotency-key": "k" },
	});
	const read = await broken.call("listLeads");
	for (const { status, body } of [write, read]) {
		expect(status).toBe(500);
		expect(body).toEqual({
			error: {
				code: "internal_error",
				message: "an unexpected error occurred",
			},
		});
	}
	expect(broken.faults.splice(0)).toHaveLength(2);
	await broken.close();
});
