import {
	createOpenApi,
	ErrorBody,
	eventBodySchema,
	OPERATION_IDS,
	type OpenApiDocument,
	type Operation,
	operations,
} from "@partnerwire/contract";
import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import { H3 } from "h3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { readFixture } from "../../src/assets/fixtures.ts";
import { createAnswering } from "../../src/http/answering.ts";
import { serveOpenApi } from "../../src/http/openapi.ts";

interface Media {
	content: { "application/json": { schema: object; example: unknown } };
}

let api: Api;
let document: OpenApiDocument;
beforeAll(async () => {
	api = await openApi();
	document = (await api.request("GET", "/openapi.json", { key: null })).body;
});
afterAll(() => api.close());

const rows = OPERATION_IDS.map((id) => ({
	id,
	...(operations[id] as Operation),
}));
const documented = ({ path, method }: Operation) =>
	document.paths[path]?.[method.toLowerCase()];
const exampleIn = (media: unknown) =>
	(media as Media).content["application/json"].example;

test("A164 it is OpenAPI 3.1 of version 1.0.0, and every path is served under /v1", () => {
	expect(document.openapi).toBe("3.1.0");
	expect(document.info.version).toBe("1.0.0");
	for (const path of Object.keys(document.paths))
		expect(path).toMatch(/^(\/api)?\/v1\//);
});

test("it is what was built, kept by its tag, sent compressed, and not sniffed", async () => {
	const get = (headers: Record<string, string>) =>
		fetch(new URL("/openapi.json", api.url), { headers });
	expect(document).toEqual(
		JSON.parse(JSON.stringify(createOpenApi(readFixture))),
	);
	for (const encoding of ["gzip", "identity"]) {
		const first = await get({ "accept-encoding": encoding });
		expect(await first.json()).toEqual(document);
		expect(Object.fromEntries(first.headers)).toMatchObject({
			"content-type": "application/json",
			"cache-control": "no-cache",
			"x-content-type-options": "nosniff",
			vary: "accept-encoding",
			...(encoding === "gzip" && { "content-encoding": "gzip" }),
		});
		const again = await get({
			"accept-encoding": encoding,
			"if-none-match": String(first.headers.get("etag")),
		});
		expect([again.status, await again.text()]).toEqual([304, ""]);
	}
});

test("from sources that are not built it is the same", async () => {
	const app = new H3();
	serveOpenApi(
		app,
		createAnswering(() => {}, undefined),
		"/nowhere",
	);
	expect(await (await app.request("/openapi.json")).json()).toEqual(document);
});

test("A165 every operation has an operationId of its own", () => {
	const ids = Object.values(document.paths).flatMap((methods) =>
		Object.values(methods).map(({ operationId }) => operationId),
	);
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids.sort()).toEqual([...OPERATION_IDS].sort());
});

test("A068 removing a supporting partner is removeDealPartner", () => {
	const path = document.paths["/v1/deals/{uuid}/partners/{subUuid}"];
	expect(path?.delete?.operationId).toBe("removeDealPartner");
});

test("every reference leads to a component", () => {
	const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
	const names = [...references].map(([, reference]) => String(reference));
	expect(names.length).toBeGreaterThan(OPERATION_IDS.length);
	for (const name of new Set(names)) {
		const [, , kind, id] = name.split("/") as [string, string, string, string];
		const components = document.components as unknown as Record<
			string,
			Record<string, unknown>
		>;
		expect(components[kind], name).toHaveProperty([id]);
	}
});

describe("each operation", () => {
	test.each(rows)("$method $path: its examples are valid", (row) => {
		const operation = documented(row);
		const answer = exampleIn(operation?.responses[row.status]);
		expect(row.response.parse(answer)).toEqual(answer);
		if (!row.body) return;
		const body = exampleIn(operation?.requestBody);
		expect(row.body.safeParse(body).error?.issues).toBe(undefined);
	});

	test.each(rows)("$method $path: its parameters and errors", (row) => {
		const operation = documented(row);
		const parameters = operation?.parameters as { name: string; in: string }[];
		const inPath = parameters.filter((parameter) => parameter.in === "path");
		expect(inPath.map(({ name }) => `{${name}}`)).toEqual(
			row.path.match(/\{\w+\}/g) ?? [],
		);
		expect(Object.keys(operation?.responses ?? {})).toEqual(
			expect.arrayContaining(["401", "403", "429", "500"]),
		);
	});
});

test("the errors have their codes, and 429 tells of Retry-After", () => {
	for (const [code, response] of Object.entries(document.components.responses))
		expect(ErrorBody.parse(exampleIn(response)).error.code).toBe(code);
	expect(document.components.responses.rate_limit_exceeded).toHaveProperty([
		"headers",
		"Retry-After",
	]);
});

test("the 19 webhooks have the body of their event, and an example of it", () => {
	expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_IDS].sort());
	for (const [id, webhook] of Object.entries(document.webhooks)) {
		const { requestBody } = webhook.post as { requestBody: Media };
		const example = exampleIn(requestBody);
		const parsed = eventBodySchema(id as EventId).safeParse(example);
		expect(parsed.error?.issues, id).toBe(undefined);
	}
});
