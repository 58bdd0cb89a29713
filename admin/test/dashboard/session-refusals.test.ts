import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { type SignedIn, signIn, trySignIn } from "#kit/program/dashboard.ts";
import { sendRaw } from "../support/raw-http.ts";
import { createIntegration } from "../support/records.ts";

let api: Api;
let full: SignedIn;
let read: SignedIn;
let integration: { id: string; integration_uuid: string };
beforeAll(async () => {
	api = await openApi({ dashboard: { signInLimit: 0 } });
	integration = await createIntegration(api);
	full = await signIn(api, api.seeded.keys.full);
	read = await signIn(api, api.seeded.keys.read);
});
afterAll(() => api.close());

const codeOf = ({ status, body }: { status: number; body: unknown }) => [
	status,
	(body as { error?: { code: string } }).error?.code,
];
const LIST = "/_admin/v1/integrations";
const created = {
	label: "Made by a page",
	webhook_url: "https://hooks.example/",
};

interface Refusal {
	readonly what: string;
	readonly method?: string;
	readonly path?: string;
	readonly as?: () => SignedIn;
	readonly headers?: () => Record<string, string>;
	readonly body?: unknown;
	readonly is: [number, string];
}
const NOBODY: [number, string] = [401, "unauthorized"];
const FORBIDDEN: [number, string] = [403, "forbidden"];
const other = "pws_0123456789012345678901234567890123456789abc";

const refusals: Refusal[] = [
	{ what: "no cookie", headers: () => ({ cookie: "" }), is: NOBODY },
	{
		what: "an API key in place of the cookie",
		headers: () => ({
			cookie: "",
			authorization: `Bearer ${api.seeded.keys.full}`,
		}),
		is: NOBODY,
	},
	{
		what: "an unknown cookie",
		headers: () => ({ cookie: `partnerwire_session=${other}` }),
		is: NOBODY,
	},
	{
		what: "an API key as the cookie",
		headers: () => ({ cookie: `partnerwire_session=${api.seeded.keys.full}` }),
		is: NOBODY,
	},
	{
		what: "a cookie with more behind it",
		headers: () => ({ cookie: `${full.cookie}=x` }),
		is: NOBODY,
	},
	{
		what: "the cookie twice, as a neighbouring site could toss one",
		headers: () => ({ cookie: `${full.cookie}; partnerwire_session=${other}` }),
		is: NOBODY,
	},
	...["/v1/integrations", "/api/v1/integrations", "/v1/account"].map(
		(path) => ({ what: `the cookie on ${path}`, path, is: NOBODY }),
	),
	...["POST", "PATCH", "DELETE"].map((method) => ({
		what: `${method} without the CSRF token`,
		method,
		headers: () => ({ "x-csrf-token": "" }),
		body: created,
		is: FORBIDDEN,
	})),
	{
		what: "another session's CSRF token",
		method: "POST",
		headers: () => ({ "x-csrf-token": read.csrf }),
		body: created,
		is: FORBIDDEN,
	},
	{
		what: "a form of text/plain without the CSRF token",
		method: "POST",
		headers: () => ({ "x-csrf-token": "", "content-type": "text/plain" }),
		body: JSON.stringify(created),
		is: FORBIDDEN,
	},
	{
		what: "a body of text/plain",
		method: "POST",
		headers: () => ({ "content-type": "text/plain" }),
		body: JSON.stringify(created),
		is: [400, "validation_error"],
	},
	...["https://evil.example", "null", "http://127.0.0.1:1", "nonsense"].map(
		(origin) => ({
			what: `the origin ${origin}`,
			headers: () => ({ origin }),
			is: FORBIDDEN,
		}),
	),
	...["cross-site", "same-site"].map((site) => ({
		what: `a page that the browser calls ${site}`,
		headers: () => ({ "sec-fetch-site": site }),
		is: FORBIDDEN,
	})),
	{
		what: "a read-only session that writes",
		as: () => read,
		method: "POST",
		body: created,
		is: FORBIDDEN,
	},
	{
		what: "a sign-out without the CSRF token",
		method: "DELETE",
		path: "/_admin/session",
		headers: () => ({ "x-csrf-token": "" }),
		is: FORBIDDEN,
	},
];

describe("refused", () => {
	test.each(refusals)("$what", async (refusal) => {
		const as = refusal.as?.() ?? full;
		const answer = await as.request(
			refusal.method ?? "GET",
			refusal.path ?? LIST,
			{ body: refusal.body, headers: refusal.headers?.() ?? {} },
		);
		expect(codeOf(answer)).toEqual(refusal.is);
		expect((await full.request("GET", "/_admin/session")).status).toBe(200);
	});

	test.each([
		["evil.example", 403],
		["evil.example:80", 403],
		["localhost.evil.example", 403],
		["localhost", 200],
		["dashboard.localhost:3000", 200],
		["127.0.0.1:1", 200],
		["[::1]:3000", 200],
		["192.0.2.7", 200],
	])("the host name %s answers %i", async (host, status) => {
		const answer = await sendRaw(api.url, (send) =>
			send(
				`GET /_admin/session HTTP/1.1\r\nHost: ${host}\r\nCookie: ${full.cookie}\r\nConnection: close\r\n\r\n`,
			),
		);
		expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
	});

	test.each([
		["an unknown key", { api_key: "pwk_unknown" }, NOBODY],
		["nothing", {}, [400, "validation_error"]],
		["an empty key", { api_key: "" }, NOBODY],
		[
			"a key and a link",
			{ api_key: "x", link_token: "y" },
			[400, "validation_error"],
		],
		["a link where there is none", { link_token: "y" }, NOBODY],
		["a key that is no text", { api_key: {} }, [400, "validation_error"]],
	])("signing in with %s", async (_, body, is) => {
		const answer = await trySignIn(api, body);
		expect(codeOf(answer)).toEqual(is);
		expect(answer.headers.getSetCookie()).toEqual([]);
	});

	test.each([
		[{ "content-type": "text/plain" }, [400, "validation_error"]],
		[
			{ "content-type": "application/x-www-form-urlencoded" },
			[400, "validation_error"],
		],
		[{ origin: "https://evil.example" }, FORBIDDEN],
		[{ "sec-fetch-site": "cross-site" }, FORBIDDEN],
	])("another site that signs a browser in, with %j", async (headers, is) => {
		const body = { api_key: api.seeded.keys.full };
		const answer = await trySignIn(api, body, headers);
		expect(codeOf(answer)).toEqual(is);
		expect(answer.headers.getSetCookie()).toEqual([]);
	});
});

test("A123 a read-only session sees no secret, in no answer of a GET and of no reveal", async () => {
	const path = `/_admin/api/v1/integrations/${integration.id}`;
	const answers = [
		await read.request("GET", LIST),
		await read.request("GET", path),
		await read.request("POST", `${path}/reveal-secret`),
		await read.request("POST", `${path}/rotate-secret`),
		await read.request("GET", "/_admin/v1/audit-log"),
		await read.request("GET", "/_admin/session"),
	];
	expect(answers.map(({ status }) => status)).toEqual([
		200, 200, 403, 403, 200, 200,
	]);
	expect(JSON.stringify(answers)).not.toContain(integration.integration_uuid);
});
