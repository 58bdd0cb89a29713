// CORS: pages of the origins that `--cors-origin` names may call the API, and nobody else.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { origins } from "../../src/cli/settings/readers.ts";

const OWN = "https://app.example";
const LOCAL = "http://localhost:5173";

let api: Api;
beforeAll(async () => {
	api = await openApi({ corsOrigins: [OWN, LOCAL], dashboard: {} });
});
afterAll(() => api.close());

const PREFLIGHT = {
	"access-control-request-method": "PATCH",
	"access-control-request-headers": "authorization,idempotency-key",
};

async function ask(
	path: string,
	{ at = api, method = "GET", headers = {} }: Asked = {},
) {
	const answer = await fetch(at.url + path, { method, headers });
	await answer.text();
	const cors = [...answer.headers].filter(([name]) =>
		name.startsWith("access-control-"),
	);
	return {
		status: answer.status,
		cors: Object.fromEntries(cors),
		vary: answer.headers.get("vary"),
	};
}
interface Asked {
	at?: Api;
	method?: string;
	headers?: Record<string, string>;
}

const key = () => ({ authorization: `Bearer ${api.seeded.keys.full}` });

describe("a page of a named origin", () => {
	test.each([
		["an answer", "/v1/leads", key, "GET", 200],
		["an answer beside /v1", "/api/v1/integrations/x", key, "GET", 400],
		["MCP", "/mcp", key, "GET", 405],
		["a refused key", "/v1/leads", () => ({}), "GET", 401],
		["a refused path", "/v1/leads/%61", key, "GET", 400],
		["an unknown route", "/v1/nothing", key, "DELETE", 404],
	])("may read %s", async (_, path, toHeaders, method, status) => {
		for (const origin of [OWN, LOCAL]) {
			const headers = { ...toHeaders(), origin };
			expect(await ask(path, { method, headers })).toEqual({
				status,
				vary: "origin",
				cors: {
					"access-control-allow-origin": origin,
					"access-control-expose-headers": "*",
				},
			});
		}
	});

	test.each(["/v1/leads", "/v1/nothing", "/api/v1/integrations/x", "/mcp"])(
		"gets leave to call %s, without a key",
		async (path) => {
			const headers = { ...PREFLIGHT, origin: OWN };
			expect(await ask(path, { method: "OPTIONS", headers })).toEqual({
				status: 204,
				vary: "origin, access-control-request-headers",
				cors: {
					"access-control-allow-origin": OWN,
					"access-control-allow-methods": "GET,HEAD,POST,PUT,PATCH,DELETE",
					"access-control-allow-headers": "authorization,idempotency-key",
					"access-control-max-age": "600",
				},
			});
		},
	);

	test("gets no leave to call anything but the API", async () => {
		for (const path of [
			...["/_admin/session", "/_admin/v1/leads", "/", "/docs", "/metrics"],
			...["/v1x", "/mcp2", "/healthz"],
		])
			for (const method of ["GET", "OPTIONS"]) {
				const headers = { ...PREFLIGHT, origin: OWN };
				const { cors, status } = await ask(path, { method, headers });
				expect([path, cors, status === 204]).toEqual([path, {}, false]);
			}
	});
});

test.each([
	"https://evil.example",
	"https://app.example.evil.example",
	"https://evil.app.example",
	"http://app.example",
	"https://app.example:8443",
	"https://app.example/",
	"null",
])("a page of %s gets no leave", async (origin) => {
	for (const method of ["GET", "OPTIONS"]) {
		const headers = { ...key(), ...PREFLIGHT, origin };
		const { cors, vary } = await ask("/v1/leads", { method, headers });
		expect(cors).not.toHaveProperty("access-control-allow-origin");
		// A cache must not give this answer to a page that has leave.
		expect(vary).toContain("origin");
	}
});

test("without the setting there is no CORS at all", async () => {
	const at = await openApi();
	const headers = { ...PREFLIGHT, origin: OWN };
	for (const method of ["GET", "OPTIONS"])
		expect(await ask("/v1/leads", { at, method, headers })).toEqual({
			status: 401,
			cors: {},
			vary: null,
		});
	await at.close();
});

test("origins are read as browsers write them", () => {
	const given =
		"https://App.Example/, https://b.example:443,http://c.example:80,http://[::1]:5173";
	expect(origins(given, "--cors-origin")).toEqual([
		OWN,
		"https://b.example",
		"http://c.example",
		"http://[::1]:5173",
	]);
	for (const wrong of [
		"*",
		"null",
		"app.example",
		"https://a.example/b",
		"ftp://a.example",
		"https://*.example/x",
	])
		expect(() => origins(`${OWN},${wrong}`, "--cors-origin")).toThrow(
			/^--cors-origin must be an /,
		);
});
