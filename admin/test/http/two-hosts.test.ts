// A request with two hosts is refused everywhere (RFC 9112 §3.2), and one with a single host is not.
import { operations } from "@partnerwire/contract";
import { createMetrics } from "partnerwire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { sendRaw } from "../support/raw-http.ts";
import { countRows } from "../support/row-counts.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi({ dashboard: {}, metrics: createMetrics() });
});
afterAll(() => api.close());

async function send(
	line: string,
	hosts: readonly string[],
	{ key, body = "" }: { key?: string; body?: string } = {},
) {
	const answer = await sendRaw(api.url, (write) =>
		write(
			[
				`${line} HTTP/1.1`,
				...hosts,
				...(key ? [`authorization: Bearer ${key}`] : []),
				...(body ? ["content-type: application/json"] : []),
				`content-length: ${Buffer.byteLength(body)}`,
				"connection: close",
				"",
				body,
			].join("\r\n"),
		),
	);
	return { status: Number(answer.slice(9, 12)), answer };
}

const HOST = "host: partnerwire.example";
const TWO = [
	[HOST, HOST],
	[HOST, "host: other.example"],
	["HOST: partnerwire.example", "x-a: b", "Host: other.example"],
	[HOST, "host:", HOST],
];
const PATHS = ["/", "/healthz", "/readyz", "/metrics", "/openapi.json"].concat(
	["/docs", "/docs/api/", "/_admin/v1/leads", "/nothing", "/v1/nothing"],
	["/v1//leads", "/mcp"],
);
const LINES = [
	...PATHS.flatMap((path) => [`GET ${path}`, `POST ${path}`]),
	...Object.values(operations).map(
		({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, "x")}`,
	),
];

test.each([
	["without a key", () => undefined],
	["with a wrong key", () => "pwk_wrong"],
	["with a key", () => api.seeded.keys.full],
])("two hosts are a 400 on every path, %s", async (_, toKey) => {
	const before = await countRows(api);
	const key = toKey();
	for (const [at, line] of LINES.entries()) {
		const { status, answer } = await send(line, TWO[at % TWO.length] ?? [], {
			...(key && { key }),
			...(line.startsWith("GET") ? {} : { body: "{}" }),
		});
		expect([line, status]).toEqual([line, 400]);
		expect([line, answer]).toEqual([
			line,
			expect.stringContaining('"message":"header/host: must be given once"'),
		]);
	}
	expect(await countRows(api)).toEqual(before);
});

test("one host is answered as ever, bodies too", async () => {
	const key = api.seeded.keys.full;
	for (const host of [HOST, "HoSt: other.example:8080"]) {
		const body = '{"name":"Globex","partner_type":"referral"}';
		expect((await send("GET /healthz", [host])).status).toBe(200);
		expect((await send("GET /v1/leads", [host])).status).toBe(401);
		expect((await send("GET /v1//leads", [host])).status).toBe(401);
		expect((await send("GET /v1/leads", [host], { key })).status).toBe(200);
		const made = await send("POST /v1/partners", [host], { key, body });
		expect([made.status, made.answer]).toEqual([
			201,
			expect.stringContaining('"name":"Globex"'),
		]);
		const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
		const { status } = await send("POST /mcp", [host], { key, body: ping });
		expect(status).toBe(200);
	}
});
