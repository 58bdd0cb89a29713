import {
	OPERATION_IDS,
	type Operation,
	operations,
} from "@partnerwire/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration, UNKNOWN_UUID } from "../support/records.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

/** Every route of the table, addressed at records that do not exist. */
const routes = OPERATION_IDS.map((id) => {
	const { method, path, exact }: Operation = operations[id];
	return {
		method,
		exact,
		path: path.replace(/\{\w+\}/g, UNKNOWN_UUID),
		body: method === "POST" || method === "PATCH" ? {} : undefined,
	};
});

test("A001 every path of the table is below /v1, or below /api/v1/integrations", () => {
	for (const { path } of routes)
		expect(path).toMatch(/^\/(v1\/|api\/v1\/integrations\/)/);
});

test("A001 a resource path without /v1 is not found", async () => {
	for (const path of ["/leads", "/v2/leads", "/api/v1/leads", "/v1/v1/leads"]) {
		const { status, body } = await api.request("GET", path);
		expect([path, status, body.error.code]).toEqual([path, 404, "not_found"]);
	}
});

test("A002 integration management is at the host root and has no second prefix", async () => {
	const { id } = await createIntegration(api);
	const answers = await Promise.all(
		["/api/v1/integrations", "/v1/api/v1/integrations", "/v1/integrations"].map(
			(prefix) => api.request("GET", `${prefix}/${id}`),
		),
	);
	expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
});

test("HEAD answers as GET does, without a body (RFC 9110 §9.3.2)", async () => {
	const { id } = await createIntegration(api);
	const gets = routes
		.filter(({ method }) => method === "GET")
		.flatMap(({ path }) => [path, path.replace(UNKNOWN_UUID, id)]);
	const others = [
		"/healthz",
		"/readyz",
		"/openapi.json",
		"/v1/nothing",
		"/nothing",
	];
	for (const key of [api.seeded.keys.full, "pwk_unknown"])
		for (const path of [...gets, ...others]) {
			const ask = async (method: string) => {
				const answer = await fetch(api.url + path, {
					method,
					headers: { authorization: `Bearer ${key}` },
				});
				const type = answer.headers.get("content-type");
				return { told: [path, answer.status, type], body: await answer.text() };
			};
			const head = await ask("HEAD");
			expect(head).toEqual({ ...(await ask("GET")), body: "" });
		}
});

test("HEAD of a path that has no GET is 404", async () => {
	const answer = await fetch(`${api.url}/v1/webhook-url-probes`, {
		method: "HEAD",
		headers: { authorization: `Bearer ${api.seeded.keys.full}` },
	});
	expect(answer.status).toBe(404);
});

test("A003 success and error bodies are application/json", async () => {
	const answers = await Promise.all([
		api.request("GET", "/v1/leads"),
		api.request("GET", "/v1/nothing"),
		api.request("GET", "/nothing"),
		api.request("GET", "/healthz", { key: null }),
		api.request("GET", "/readyz", { key: null }),
	]);
	expect(answers.map(({ status }) => status)).toEqual([
		200, 404, 404, 200, 200,
	]);
	for (const { headers } of answers)
		expect(headers.get("content-type")).toMatch(/^application\/json\b/);
});

test.each(routes)(
	"A004 $method $path without a key answers 401",
	async (route) => {
		const { status, body } = await api.request(route.method, route.path, {
			key: null,
			body: route.body,
		});
		expect([status, body.error.code]).toEqual([401, "unauthorized"]);
	},
);

test.each(routes.filter(({ exact }) => !exact))(
	"$method $path is served with a trailing slash, also before a query string",
	async ({ method, path, body }) => {
		const [plain, ...others] = await Promise.all(
			["", "/", "?x=1", "/?x=1"].map((suffix) =>
				api.request(method, path + suffix, { body }),
			),
		);
		for (const other of others) {
			expect(other.status).toBe(plain?.status);
			// A route that was not found says so; a record that was not found says what it is.
			expect(other.body?.error?.message).toBe(plain?.body?.error?.message);
			expect(other.body?.error?.message).not.toBe("route not found");
		}
	},
);

test("A124 an unknown route or method below /v1 answers 401 without a key, else 404, in the envelope", async () => {
	const unknown = [
		["GET", "/v1"],
		["GET", "/v1/"],
		["GET", "/v1/nothing"],
		["PUT", "/v1/leads"],
		["OPTIONS", "/v1/leads"],
		["DELETE", `/v1/leads/${UNKNOWN_UUID}/nothing`],
		["GET", "/api/v1/integrations"],
		["PUT", `/api/v1/integrations/${UNKNOWN_UUID}`],
		["POST", `/api/v1/integrations/${UNKNOWN_UUID}/nothing`],
	] as const;
	for (const [method, path] of unknown) {
		const { status } = await api.request(method, path, { key: null });
		expect([method, path, status]).toEqual([method, path, 401]);
		const answer = await api.request(method, path);
		expect([method, path, answer.status]).toEqual([method, path, 404]);
		expect(answer.body.error.code).toBe("not_found");
	}
});

test("A124 a path with broken percent-encoding answers 401 without a key, else 400", async () => {
	for (const path of ["/v1/%zz", "/v1/leads/%zz", "/api/v1/integrations/%"]) {
		const { status } = await api.request("GET", path, { key: null });
		expect([path, status]).toEqual([path, 401]);
		const answer = await api.request("GET", path);
		expect([path, answer.status]).toEqual([path, 400]);
	}
});

test("A124 an unknown route outside the API answers 404 in the envelope", async () => {
	for (const path of ["/", "/favicon.ico", "/api", "/mcp/x"]) {
		const { status, body } = await api.request("GET", path, { key: null });
		expect([path, status, body.error.code]).toEqual([path, 404, "not_found"]);
	}
});
