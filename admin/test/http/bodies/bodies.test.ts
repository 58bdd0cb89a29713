import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	createDeal,
	createLead,
	createPartner,
} from "../../support/records.ts";
import { expectRefused } from "../../support/row-counts.ts";

let api: Api;
let partner: { uuid: string };
let lead: { uuid: string };
let deal: { uuid: string };
beforeAll(async () => {
	api = await openApi();
	partner = await createPartner(api);
	lead = await createLead(api, partner.uuid);
	deal = await createDeal(api, lead.uuid);
});
afterAll(() => api.close());

const JSON_TYPE = "application/json";
const VALID = '{"name":"Globex","partner_type":"referral"}';
const post = (body: string, contentType: string, path = "/v1/partners") =>
	api.request("POST", path, {
		body,
		headers: { "content-type": contentType },
	});

const NOT_OBJECTS = [
	"{",
	"{'a':1}",
	'{"a":1,}',
	"undefined",
	`${VALID}x`,
	"[]",
	`[${VALID}]`,
	"null",
	"true",
	"1",
	'"text"',
	"NaN",
	" ",
	"\0",
];
test.each(NOT_OBJECTS)(
	"A126 the body %j answers 400, not 500",
	async (body) => {
		await expectRefused(api, () => post(body, JSON_TYPE), /^body: /);
	},
);

const NOT_JSON_TYPES = [
	"",
	"text/plain",
	"application/x-www-form-urlencoded",
	"multipart/form-data; boundary=x",
	"application/jsonp",
	"application/json; charset=latin1",
	"text/json",
	"*/*",
];
test.each(NOT_JSON_TYPES)(
	"A126 a body with the content type %j answers 400",
	async (type) => {
		await expectRefused(api, () => post(VALID, type), /Content-Type/);
	},
);

test.each([
	JSON_TYPE,
	"application/json; charset=utf-8",
	'APPLICATION/JSON;charset="UTF-8"',
	"application/merge-patch+json",
])("the content type %j is taken", async (type) => {
	expect((await post(VALID, type)).status).toBe(201);
});

test("a byte order mark is no part of the JSON", async () => {
	expect((await post(`\uFEFF${VALID}`, JSON_TYPE)).status).toBe(201);
});

test("A126 no body at all, where one is needed, answers 400", async () => {
	await expectRefused(
		api,
		() => api.request("POST", "/v1/partners"),
		/^body: /,
	);
});

test("no body at all is fine where nothing is needed", async () => {
	const { body: made } = await api.call("createIntegration", {
		body: { label: "x", webhook_url: "https://hooks.example/" },
	});
	const params = { integration_id: made.id };
	const paused = await api.call("pauseIntegration", { params });
	expect([paused.status, paused.body.status]).toEqual([200, "paused"]);
	const wrong = await api.call("resumeIntegration", { params, body: "null" });
	expect(wrong.status).toBe(400);
});

/** Every writable text member of every operation, with a body that is otherwise valid. */
const TEXTS = [
	[
		"createPartner",
		["name", "email", "phone_number", "website_url", "description"],
	],
	[
		"createLead",
		[
			"first_name",
			"last_name",
			"email",
			"phone_number",
			"company_name",
			"website",
			"source",
		],
	],
	["updateLead", ["first_name", "company_name", "email"]],
	["createDeal", ["label", "expiration_date"]],
	["updateDeal", ["label"]],
	["createLeadNote", ["content"]],
	["createDealNote", ["content"]],
	["createApiKey", ["label", "user_uuid"]],
	["createIntegration", ["label", "webhook_url", "api_key"]],
] as const;
const texts = TEXTS.flatMap(([id, members]) =>
	members.flatMap((member) =>
		[
			["NUL", "a@b\0c"],
			["a lone high surrogate", "a@b\uD800"],
			["a lone low surrogate", "\uDC00a@b"],
		].map(([what, value]) => ({ id, member, what, value })),
	),
);

test.each(texts)(
	"$id refuses $what in $member",
	async ({ id, member, value }) => {
		const uuid = id.includes("Deal") ? deal.uuid : lead.uuid;
		const body = {
			...(id === "createPartner" && { name: "X", partner_type: "referral" }),
			...(id === "createLead" && { partnership_uuid: partner.uuid }),
			...(id === "createDeal" && { lead_uuid: lead.uuid }),
			...(id === "createApiKey" && { label: "x", read: true }),
			...(id === "createIntegration" && {
				label: "x",
				webhook_url: "https://hooks.example/",
			}),
			[member]: value,
		};
		await expectRefused(
			api,
			() => api.call(id, { params: { uuid }, body }),
			`body/${member}: `,
		);
	},
);

test("NUL and lone surrogates are refused in nested texts too, and named by their place", async () => {
	const create = (more: object) => () =>
		api.call("createIntegration", {
			body: { label: "x", webhook_url: "https://hooks.example/", ...more },
		});
	const selected = [{ id: "unique_field_lead", value: "em\0ail" }];
	await expectRefused(
		api,
		create({ configuration: [{ id: "lead_integration_settings", selected }] }),
		"body/configuration/0/selected/0/value: ",
	);
	await expectRefused(
		api,
		create({
			external_settings: { authorisation: [{ id: "a", value: "\uD800" }] },
		}),
		"body/external_settings/authorisation/0/value: ",
	);
});

test.each([
	["createApiKey", { read: true }],
	["createIntegration", { webhook_url: "https://hooks.example/" }],
	["createTag", {}],
] as const)("%s refuses control characters in a label", async (id, more) => {
	for (const control of ["\n", "\x1B", "\x7F"])
		await expectRefused(
			api,
			() => api.call(id, { body: { ...more, label: `a${control}b` } }),
			"body/label: must not contain control characters",
		);
});

test("__proto__ and constructor members change nothing", async () => {
	const evil =
		'{"__proto__":{"email":"evil@x.example","read":true},"constructor":{"prototype":{"x":1}},';
	const { body } = await post(evil + VALID.slice(1), JSON_TYPE);
	expect(body.email).toBeNull();
	expect(({} as Record<string, unknown>).email).toBeUndefined();
	// Members of the prototype do not count.
	await expectRefused(
		api,
		() =>
			post('{"__proto__":{"name":"X","partner_type":"referral"}}', JSON_TYPE),
		/body\/name.*body\/partner_type/,
	);
});

test("A170 unknown members are ignored; of a repeated member the last counts", async () => {
	const { body } = await post(
		'{"x":1,"uuid":"mine","name":"a","name":"b","partner_type":"reseller"}',
		JSON_TYPE,
	);
	expect(body).toMatchObject({ name: "b", partner_type: "reseller" });
	expect(body.uuid).not.toBe("mine");
});

const WRONG_VALUES = [
	["createDeal", { deal_value: "5" }, "deal_value"],
	["createDeal", { deal_value: 1e13 }, "deal_value"],
	["createDeal", { deal_value: -1e300 }, "deal_value"],
	["createDeal", { expiration_date: "2026-02-30" }, "expiration_date"],
	["createDeal", { expiration_date: "0000-01-01" }, "expiration_date"],
	["createDeal", { expiration_date: "2026-1-1" }, "expiration_date"],
	[
		"createDeal",
		{ expiration_date: "2026-01-01T00:00:00Z" },
		"expiration_date",
	],
	["createDeal", { label: "   " }, "label"],
	["createDeal", { label: "x".repeat(256) }, "label"],
	["createLead", { status: "won" }, "status"],
	["createLead", { direction: "both" }, "direction"],
	["createLead", { email: "no at sign" }, "email"],
	["createLead", { company_name: 5 }, "company_name"],
	["createLead", { company_name: ["x"] }, "company_name"],
	["createPartner", { accepted_at: "2026-02-30T00:00:00Z" }, "accepted_at"],
	["createPartner", { accepted_at: "0000-06-01T00:00:00Z" }, "accepted_at"],
	[
		"createPartner",
		{ accepted_at: "9999-12-31T23:59:59-12:00" },
		"accepted_at",
	],
	["createPartner", { accepted_at: "yesterday" }, "accepted_at"],
	["createPartner", { stage_uuid: "nonsense" }, "stage_uuid"],
] as const;

test.each(WRONG_VALUES)("%s refuses %j", async (id, member, name) => {
	const body = {
		...(id === "createPartner" && { name: "X", partner_type: "referral" }),
		...(id === "createLead" && { partnership_uuid: partner.uuid }),
		...(id === "createDeal" && { lead_uuid: lead.uuid }),
		...member,
	};
	await expectRefused(api, () => api.call(id, { body }), `body/${name}: `);
});

test("an infinite number in JSON is refused", async () => {
	const body = `{"lead_uuid":"${lead.uuid}","deal_value":1e999}`;
	await expectRefused(
		api,
		() => post(body, JSON_TYPE, "/v1/deals"),
		"body/deal_value: ",
	);
});

test("lengths count code points", async () => {
	const made = await createLead(api, partner.uuid, {
		company_name: "😀".repeat(255),
	});
	expect([...made.company_name]).toHaveLength(255);
	await expectRefused(
		api,
		() =>
			api.call("createLead", {
				body: {
					partnership_uuid: partner.uuid,
					company_name: "😀".repeat(256),
				},
			}),
		"body/company_name: ",
	);
});
