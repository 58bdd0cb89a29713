import { MAX_UUID } from "@partnerwire/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createDeal, createLead, createPartner } from "../support/records.ts";

let api: Api;
let partner: { uuid: string };
beforeAll(async () => {
	api = await openApi();
	partner = await createPartner(api);
	for (let made = 0; made < 26; made++) {
		api.clock.advance(made % 3);
		await createLead(api, partner.uuid, { company_name: `Lead ${made}` });
	}
});
afterAll(() => api.close());

const list = (query = "") => api.call("listLeads", { query });
const LISTS = ["partners", "leads", "deals", "api-keys", "integrations"];

test.each(LISTS)(
	"A018 /v1/%s has exactly data and the four integers of pagination",
	async (name) => {
		const { body } = await api.request("GET", `/v1/${name}`);
		expect(Object.keys(body).sort()).toEqual(["data", "pagination"]);
		expect(body.data).toBeInstanceOf(Array);
		expect(Object.keys(body.pagination).sort()).toEqual([
			"page",
			"per_page",
			"total",
			"total_pages",
		]);
		for (const value of Object.values(body.pagination))
			expect(value).toSatisfy(Number.isInteger);
	},
);

test.each(LISTS)(
	"A021 /v1/%s without parameters is page 1 of 25 a page",
	async (name) => {
		const { body } = await api.request("GET", `/v1/${name}`);
		expect(body.pagination).toMatchObject({ page: 1, per_page: 25 });
	},
);

test("A022 per_page takes 1 and 100", async () => {
	for (const size of [1, 100]) {
		const { status, body } = await list(`?per_page=${size}`);
		expect(status).toBe(200);
		expect(body.pagination.per_page).toBe(size);
		expect(body.data).toHaveLength(Math.min(size, 26));
	}
});

/** Values that are no integer of at least 1 in plain digits (docs/decisions.md#page-and-size): never coerced, never clamped. */
const NOT_PLAIN = [
	"",
	"0",
	"-1",
	"1.5",
	"abc",
	"0x10",
	"1e1",
	"25%20",
	"%2025",
	"+5",
	"%2B5",
	"01",
	"1_0",
	"%D9%A1", // an Arabic-Indic digit one
	"NaN",
	"Infinity",
	"9007199254740992",
	"99999999999999999999",
	"1%00",
];

test.each([...NOT_PLAIN, "101"])(
	"A022 per_page=%s answers 400 and names per_page",
	async (value) => {
		const { status, body } = await list(`?per_page=${value}`);
		expect([status, body.error.code]).toEqual([400, "validation_error"]);
		expect(body.error.message).toContain("per_page");
		expect(body.error.details[0].field).toBe("query/per_page");
	},
);

test.each(NOT_PLAIN)(
	"A023 page=%s answers 400 and names page",
	async (value) => {
		const { status, body } = await list(`?page=${value}`);
		expect([status, body.error.code]).toEqual([400, "validation_error"]);
		expect(body.error.message).toContain("query/page");
	},
);

test.each(["3", "1000", "9007199254740991"])(
	"A023 page=%s, past the end, answers 200 with the true total",
	async (page) => {
		const { status, body } = await list(`?per_page=100&page=${page}`);
		expect(status).toBe(200);
		expect(body.data).toEqual([]);
		expect(body.pagination).toMatchObject({ total: 26, total_pages: 1 });
	},
);

test("A023 a list of nothing has total 0 and total_pages 0", async () => {
	const { body } = await list(`?partnership_uuid=${MAX_UUID}`);
	expect(body.data).toEqual([]);
	expect(body.pagination).toEqual({
		page: 1,
		per_page: 25,
		total: 0,
		total_pages: 0,
	});
});

test("A024 26 records: 25 and 1, none twice, newest first, the same order again", async () => {
	const first = (await list()).body;
	const second = (await list("?page=2")).body;
	expect([first.data.length, second.data.length]).toEqual([25, 1]);
	expect(first.pagination).toEqual({
		page: 1,
		per_page: 25,
		total: 26,
		total_pages: 2,
	});
	const rows: { uuid: string; created_at: string }[] = [
		...first.data,
		...second.data,
	];
	expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(26);
	const times = rows.map(({ created_at }) => created_at);
	expect(times).toEqual([...times].sort().reverse());
	expect((await list()).body).toEqual(first);
	expect((await list("?page=2")).body).toEqual(second);
});

test("A026 the notes of a deal and of a lead are a bare array, [] when empty", async () => {
	const lead = await createLead(api, partner.uuid);
	const deal = await createDeal(api, lead.uuid);
	for (const parent of [`/v1/leads/${lead.uuid}`, `/v1/deals/${deal.uuid}`]) {
		expect((await api.request("GET", `${parent}/notes`)).body).toEqual([]);
		const note = await api.request("POST", `${parent}/notes`, {
			body: { content: "One" },
		});
		expect((await api.request("GET", `${parent}/notes`)).body).toEqual([
			note.body,
		]);
	}
	await api.call("archiveLead", { params: { uuid: lead.uuid } });
});

test("A030 a malformed or repeated filter answers 400 and names itself", async () => {
	const wrong = [
		["partnership_uuid=nonsense", "partnership_uuid"],
		[
			`partnership_uuid=${partner.uuid}&partnership_uuid=${partner.uuid}`,
			"partnership_uuid",
		],
		["page=1&page=2", "page"],
		["per_page=1&per_page=1", "per_page"],
		["status=won", "status"],
		["status=new&status=lost", "status"],
		["archived=yes", "archived"],
		["archived=1", "archived"],
		["sort=label", "sort"],
		["sort=created_at&sort=updated_at", "sort"],
		["stage_uuids=nonsense", "stage_uuids"],
		[`stage_uuids=${MAX_UUID},nonsense`, "stage_uuids"],
		[`search=${"x".repeat(201)}`, "search"],
		["search=a%00b", "search"],
	];
	for (const [query, name] of wrong) {
		const { status, body } = await list(`?${query}`);
		expect([query, status]).toEqual([query, 400]);
		expect(body.error.details[0].field).toMatch(new RegExp(`^query/${name}`));
	}
});

test("the text filter is trimmed, counts code points, folds case and takes wildcards literally", async () => {
	for (const name of ["Ünïcode 100%", "under_score", "back\\slash"])
		await createLead(api, partner.uuid, { company_name: name });
	const found = async (search: string) => {
		const { body } = await list(`?search=${encodeURIComponent(search)}`);
		return body.data.map((lead: { company_name: string }) => lead.company_name);
	};
	expect(await found("  ÜNÏCODE ")).toEqual(["Ünïcode 100%"]);
	expect(await found("100%")).toEqual(["Ünïcode 100%"]);
	expect(await found("r_s")).toEqual(["under_score"]);
	expect(await found("k\\s")).toEqual(["back\\slash"]);
	expect(await found("_ead")).toEqual([]);
	expect(await found("😀".repeat(200))).toEqual([]);
});

test("sets are taken comma-separated and repeated; unknown parameters are ignored", async () => {
	const { body: none } = await list(
		`?stage_uuids=${MAX_UUID}&stage_uuids=${MAX_UUID},${MAX_UUID}`,
	);
	expect(none.data).toEqual([]);
	const { status } = await list(
		"?nothing=1&nothing=2&__proto__=x&constructor=y",
	);
	expect(status).toBe(200);
});
