import { join } from "node:path";
import {
	createApp,
	createDashboard,
	createSetUpLink,
	listen,
	openService,
} from "partnerwire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../shared/core/test/support/clock.ts";
import { createTempFolder } from "../../../shared/core/test/support/temp-folder.ts";
import { type Api, openApi } from "../support/api.ts";
import { createTestClient } from "../support/client.ts";
import { type SignedIn, signIn, trySignIn } from "../support/dashboard.ts";
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
const label = { label: "Made by a page" };
const created = {
	...label,
	webhook_url: "https://hooks.example/",
};

test("the answer says who signed in, and the cookie is for /_admin alone, out of the page's reach", async () => {
	const { headers, body } = full.answer;
	expect(body).toMatchObject({
		company: { uuid: api.seeded.company_uuid },
		user: { uuid: api.seeded.user_uuid },
		permissions: { read: true, write: true },
	});
	expect(headers.getSetCookie()).toHaveLength(1);
	const [cookie = ""] = headers.getSetCookie();
	expect(cookie).toMatch(/^partnerwire_session=pws_[\w-]{43}; Max-Age=43200; /);
	expect(cookie.split("; ")).toEqual(
		expect.arrayContaining(["Path=/_admin", "HttpOnly", "SameSite=Strict"]),
	);
	expect(headers.get("cache-control")).toBe("no-store");
	const shown = await full.request("GET", "/_admin/session");
	expect(shown.body).toEqual(body);
	// The page's own text never holds the cookie's value.
	expect(JSON.stringify(body)).not.toContain(full.cookie.split("=")[1]);
});

test("behind TLS the cookie is sent through TLS alone", async () => {
	const publicUrl = "https://partnerwire.example";
	const secure = await openApi({ dashboard: { publicUrl } });
	const { answer } = await signIn(secure, secure.seeded.keys.full, {
		origin: publicUrl,
	});
	expect(answer.headers.getSetCookie()[0]).toMatch(/; Secure/);
	const plain = { origin: "http://partnerwire.example" };
	const body = { api_key: secure.seeded.keys.full };
	expect(codeOf(await trySignIn(secure, body, plain))).toEqual([
		403,
		"forbidden",
	]);
	await secure.close();
});

test("the operations below /_admin are those of the API", async () => {
	const { status, body } = await full.request("POST", LIST, { body: created });
	expect([status, body.label]).toEqual([201, label.label]);
	const path = `/_admin/api/v1/integrations/${body.id}`;
	const viaKey = await api.request("GET", path.replace("/_admin", ""));
	expect((await full.request("GET", path)).body).toEqual(viaKey.body);
	const { body: log } = await api.request(
		"GET",
		`/v1/audit-log?entity_uuid=${body.id}`,
	);
	expect(log.data[0].actor).toBe(
		`${full.answer.body.user.first_name} ${full.answer.body.user.last_name}`,
	);
	expect(codeOf(await full.request("GET", "/_admin/v1/nothing"))).toEqual([
		404,
		"not_found",
	]);
});

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

describe("a session ends", () => {
	const isIn = async (who: SignedIn) =>
		(await who.request("GET", LIST)).status === 200;

	test("when one signs out, for good", async () => {
		const gone = await signIn(api, api.seeded.keys.full);
		const { status, headers } = await gone.request("DELETE", "/_admin/session");
		expect(status).toBe(200);
		expect(headers.getSetCookie()[0]).toMatch(
			/^partnerwire_session=; Max-Age=0; Path=\/_admin/,
		);
		expect(await isIn(gone)).toBe(false);
		expect(await isIn(full)).toBe(true);
	});

	test("at once when its key is revoked", async () => {
		const body = { label: "Short", read: true, write: true };
		const { body: key } = await api.call("createApiKey", { body });
		const bound = await signIn(api, key.key);
		expect(await isIn(bound)).toBe(true);
		await api.call("revokeApiKey", { params: { uuid: key.uuid } });
		expect(await isIn(bound)).toBe(false);
		expect(codeOf(await trySignIn(api, { api_key: key.key }))).toEqual(NOBODY);
	});

	test("when another begins in the same browser, whatever cookie that brought", async () => {
		const fixed = { cookie: `partnerwire_session=${other}` };
		const first = await signIn(api, api.seeded.keys.full, fixed);
		expect(first.cookie).not.toBe(fixed.cookie);
		const second = await signIn(api, api.seeded.keys.read, {
			cookie: first.cookie,
		});
		expect(await isIn(first)).toBe(false);
		expect(await isIn(second)).toBe(true);
	});

	test("after twelve hours; what is over is removed at the next sign-in", async () => {
		const late = await signIn(api, api.seeded.keys.full);
		api.clock.advance(12 * 3_600_000 - 1);
		expect(await isIn(late)).toBe(true);
		api.clock.advance(1);
		expect(await isIn(late)).toBe(false);
		full = await signIn(api, api.seeded.keys.full);
		read = await signIn(api, api.seeded.keys.read);
		const { query, tables } = api.service.store.read;
		const rows = await query.select().from(tables.session);
		expect(rows).toHaveLength(2);
		// Only hashes are stored.
		expect(JSON.stringify(rows)).not.toContain("pws_");
	});
});

test("signing in and out is in the audit log", async () => {
	// Entries of one time are in no order.
	api.clock.advance(1000);
	const who = await signIn(api, api.seeded.keys.full);
	await who.request("DELETE", "/_admin/session");
	const { body } = await api.request(
		"GET",
		"/v1/audit-log?entity_type=session&per_page=2",
	);
	const told = body.data.map((entry: { action: string }) => entry.action);
	expect(told.sort()).toEqual(["created", "deleted"]);
});

test("failed sign-ins are limited per address, successful ones are not", async () => {
	const limited = await openApi({ dashboard: { signInLimit: 3 } });
	const { full: key } = limited.seeded.keys;
	for (let times = 0; times < 5; times++) await signIn(limited, key);
	const statuses: number[] = [];
	for (let times = 0; times < 4; times++)
		statuses.push((await trySignIn(limited, { api_key: "pwk_x" })).status);
	expect(statuses).toEqual([401, 401, 401, 429]);
	const right = await trySignIn(limited, { api_key: key });
	expect(right.status).toBe(429);
	expect(right.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
	await limited.close();
});

test("sessions have a bucket of their own: the key's own requests are not used up", async () => {
	const limited = await openApi({ rateLimit: 2, dashboard: {} });
	const { full: key } = limited.seeded.keys;
	const tabs = [await signIn(limited, key), await signIn(limited, key)];
	const statuses: number[] = [];
	for (const tab of [...tabs, ...tabs])
		statuses.push((await tab.request("GET", LIST)).status);
	expect(statuses).toEqual([200, 200, 429, 429]);
	expect((await limited.request("GET", "/v1/leads", { key })).status).toBe(200);
	await limited.close();
});

test("the set-up link makes the first company, once and within an hour, and signs in", async () => {
	const clock = createClock();
	const database = join(createTempFolder(), "empty.db");
	const service = await openService({ database, clock });
	const setUpLink = createSetUpLink(clock);
	const server = await listen(
		createApp(service.core, {
			dashboard: createDashboard(service.core, { setUpLink, signInLimit: 0 }),
		}),
		{ port: 0, host: "127.0.0.1" },
	);
	const fresh = createTestClient(server.url, "");
	const [, link_token] = setUpLink.toUrl(server.url).split("/#link=");
	const wrong = await trySignIn(fresh, { link_token: `${link_token}x` });
	expect(codeOf(wrong)).toEqual(NOBODY);
	const names = { company_name: "Acme", first_name: "Ada", last_name: "L." };
	const body = { link_token, email: "ada@acme.example", ...names };
	const admin = await signIn(fresh, body);
	expect(admin.answer.body).toMatchObject({
		company: { name: "Acme" },
		user: { first_name: "Ada", email: "ada@acme.example" },
		permissions: { read: true, write: true },
	});
	expect(codeOf(await trySignIn(fresh, body))).toEqual([409, "conflict"]);
	const keys = await admin.request("GET", "/_admin/v1/api-keys");
	expect(keys.body.data).toMatchObject([{ label: "Set-up link" }]);
	const [{ uuid }] = keys.body.data;
	await admin.request("DELETE", `/_admin/v1/api-keys/${uuid}`);
	expect((await admin.request("GET", LIST)).status).toBe(401);
	clock.advance(3_600_000);
	expect(codeOf(await trySignIn(fresh, body))).toEqual(NOBODY);
	await server.close();
	await service.close();
});
