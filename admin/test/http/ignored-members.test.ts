// The members and parameters that a request has too many: ignored and told, or refused if the client wants that.

import {
	createOpenApi,
	findUnknown,
	OPERATION_IDS,
	type Operation,
	operations,
} from "@partnerwire/contract";
import { createClient, type Ignored } from "@partnerwire/sdk";
import { describe, expect, test } from "vitest";
import { useApi } from "../support/api-world.ts";
import { createLead, createPartner } from "../support/records.ts";
import { countRows } from "../support/row-counts.ts";

const api = useApi();

interface Body {
	content: { "application/json": { example: unknown } };
}
const document = createOpenApi();

/** The bodies that the document shows, which are valid. */
const bodies = OPERATION_IDS.flatMap((id) => {
	const { path, method, body }: Operation = operations[id];
	if (!body) return [];
	const described = document.paths[path]?.[method.toLowerCase()];
	const shown = described?.requestBody as Body | undefined;
	return [{ id, body, example: shown?.content["application/json"].example }];
});

/** The objects within a value, each with its path. */
function* objectsIn(
	value: unknown,
	path = "",
): Generator<[path: string, object: object]> {
	if (typeof value !== "object" || value === null) return;
	if (!Array.isArray(value)) yield [path, value];
	for (const [name, member] of Object.entries(value))
		yield* objectsIn(member, `${path}${name}/`);
}

/** Objects whose names are open: the values of a calculator's fields, and the body of a test webhook. */
const OPEN = ["values/", "payload/"];

describe("every body of the document", () => {
	test.each(bodies)("$id has nothing unknown", ({ body, example }) => {
		expect([...findUnknown(body, example)]).toEqual([]);
	});

	test.each(bodies)("$id, with one member too many", ({ body, example }) => {
		for (const [path] of objectsIn(example)) {
			const copy = structuredClone(example);
			const [, target] = [...objectsIn(copy)].find(([at]) => at === path) ?? [];
			Object.assign(target ?? {}, { colour: "red" });
			if (OPEN.includes(path)) continue;
			expect([...findUnknown(body, copy)]).toEqual([`${path}colour`]);
		}
	});
});

const IGNORED = "partnerwire-ignored";
const STRICT = { prefer: "handling=strict" };

test("an answer names the ignored members and parameters, at any depth", async () => {
	const { uuid } = await createPartner(api());
	const lead = await createLead(api(), uuid);
	const answers = [
		await api().request("POST", "/v1/deals?limit=5", {
			body: { lead_uuid: lead.uuid, name: "Big", value: 1200 },
		}),
		await api().request("GET", "/v1/leads?limit=5&q=x&per_page=1"),
		await api().request("GET", "/v1/tags?page=2"),
		await api().request("POST", "/v1/webhook-events/x/redeliver?dry_run=true"),
		await api().request("PATCH", `/v1/leads/${lead.uuid}`, {
			body: {
				source: "web",
				custom_fields: [],
				contact: { email: "a@b.example" },
			},
		}),
	];
	expect(
		answers.map(({ status, headers }) => [status, headers.get(IGNORED)]),
	).toEqual([
		[201, "body/name, body/value; query/limit"],
		[200, "query/limit, query/q"],
		[200, "query/page"],
		[400, "query/dry_run"],
		[200, "body/contact"],
	]);
});

test("a request with nothing too many gets no such header", async () => {
	const body = { name: "Globex", partner_type: "referral" };
	for (const headers of [{}, STRICT]) {
		const answer = await api().request("POST", "/v1/partners", {
			body,
			headers,
		});
		expect([answer.status, answer.headers.get(IGNORED)]).toEqual([201, null]);
	}
});

test("names fit into a header, whatever they are", async () => {
	const names = ["a b", "ü", "a,b;c", "\u0000\r\nx: y", "\ud800", "__proto__"];
	const given = JSON.parse(
		`{"name":"Globex","partner_type":"referral",${names.map((name) => `${JSON.stringify(name)}:1`)}}`,
	);
	const { headers } = await api().request("POST", "/v1/partners", {
		body: given,
	});
	expect(headers.get(IGNORED)).toBe(
		"body/a%20b, body/%C3%BC, body/a%2Cb%3Bc, body/%00%0D%0Ax%3A%20y, body/%EF%BF%BD, body/__proto__",
	);
	for (const letter of ["x", "ü", "漢", "😀"]) {
		const many = Object.fromEntries(
			Array.from({ length: 1000 }, (_, at) => [
				`${at}${letter.repeat(150)}`,
				at,
			]),
		);
		const long = await api().request("POST", "/v1/partners?a=1", {
			body: { name: "Globex", partner_type: "referral", ...many },
		});
		expect(long.status).toBe(201);
		const [listed = "", ...query] = (long.headers.get(IGNORED) ?? "").split(
			"; ",
		);
		expect(listed.split(", ")).toHaveLength(21);
		expect(listed).toMatch(/^body\/0(x|%[\dA-F]{2})+, .*, more$/);
		for (const name of listed.split(", "))
			expect(name).toMatch(/^(?:[^%]|%[\dA-F]{2})+$/);
		expect(listed.length).toBeLessThan(2500);
		expect(query).toEqual(["more"]);
	}
});

test("the SDK tells them", async () => {
	const told: Ignored[] = [];
	const client = createClient({
		baseUrl: api().url,
		apiKey: api().seeded.keys.full,
		onIgnored: (ignored) => told.push(ignored),
	});
	const body = { name: "Globex", partner_type: "referral", colour: "red" };
	await client.createPartner({ body } as {
		body: { name: string; partner_type: "referral" };
	});
	await client.listPartners();
	expect(told).toEqual([
		{ route: "POST /v1/partners", members: ["body/colour"] },
	]);
});

describe("with Prefer: handling=strict", () => {
	test("a hundred of very many are named", async () => {
		const many = Object.fromEntries(
			Array.from({ length: 20_000 }, (_, at) => [`a${at}`, at]),
		);
		const { status, body } = await api().request("POST", "/v1/partners", {
			body: { name: "Globex", partner_type: "referral", ...many },
			headers: STRICT,
		});
		expect(status).toBe(400);
		expect(body.error.details).toHaveLength(100);
	});

	test.each([
		"handling=strict",
		'respond-async, handling="strict"',
		"HANDLING=strict; foo=1",
	])(
		"%s, they are a 400 that names all, and nothing is done",
		async (prefer) => {
			const before = await countRows(api());
			const { status, headers, body } = await api().request(
				"POST",
				"/v1/partners?limit=5",
				{ body: { partner_type: "x", colour: "red" }, headers: { prefer } },
			);
			expect([
				status,
				headers.get("preference-applied"),
				headers.get(IGNORED),
			]).toEqual([400, "handling=strict", null]);
			expect(
				body.error.details.map(({ field }: { field: string }) => field).sort(),
			).toEqual([
				"body/colour",
				"body/name",
				"body/partner_type",
				"query/limit",
			]);
			expect(await countRows(api())).toEqual(before);
		},
	);

	test.each([
		"handling=lenient",
		"nothandling=strict",
		"handling=stricter",
		"",
	])("but not with %j", async (prefer) => {
		const { status, headers } = await api().request(
			"GET",
			"/v1/leads?limit=5",
			{
				headers: { prefer },
			},
		);
		expect([
			status,
			headers.get(IGNORED),
			headers.get("preference-applied"),
		]).toEqual([200, "query/limit", null]);
	});
});
