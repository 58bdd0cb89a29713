import { join } from "node:path";
import {
	createApp,
	createDashboard,
	createSetUpLink,
	listen,
	openService,
} from "partnerwire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "#kit/clock.ts";
import { type Api, openApi } from "#kit/program/api.ts";
import { createTestClient } from "#kit/program/client.ts";
import { type SignedIn, signIn, trySignIn } from "#kit/program/dashboard.ts";
import { createTempFolder } from "#kit/temp-folder.ts";

let api: Api;
let full: SignedIn;
beforeAll(async () => {
	api = await openApi({ dashboard: { signInLimit: 0 } });
	full = await signIn(api, api.seeded.keys.full);
});
afterAll(() => api.close());

const codeOf = ({ status, body }: { status: number; body: unknown }) => [
	status,
	(body as { error?: { code: string } }).error?.code,
];
const NOBODY = [401, "unauthorized"];
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

test("behind TLS the cookie is sent through TLS alone, and is this host's alone", async () => {
	const publicUrl = "https://partnerwire.example";
	const secure = await openApi({ dashboard: { publicUrl } });
	const signedIn = await signIn(secure, secure.seeded.keys.full, {
		origin: publicUrl,
	});
	const { answer } = signedIn;
	const [cookie = ""] = answer.headers.getSetCookie();
	// Browsers take a __Host- cookie only with these, and without a domain.
	expect(cookie).toMatch(/^__Host-partnerwire_session=pws_/);
	expect(cookie.split("; ")).toEqual(
		expect.arrayContaining(["Path=/", "HttpOnly", "Secure", "SameSite=Strict"]),
	);
	expect(cookie).not.toMatch(/domain/i);
	const own = { headers: { origin: publicUrl } };
	expect((await signedIn.request("GET", LIST, own)).status).toBe(200);
	const neighbours = cookie.replace("__Host-", "").split(";")[0] as string;
	const planted = { headers: { origin: publicUrl, cookie: neighbours } };
	expect(codeOf(await signedIn.request("GET", LIST, planted))).toEqual(NOBODY);
	const left = await signedIn.request("DELETE", "/_admin/session", own);
	expect(left.headers.getSetCookie()[0]).toMatch(
		/^__Host-partnerwire_session=; Max-Age=0; Path=\/; .*Secure/,
	);
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

	test("also when the key's sessions have used their requests up", async () => {
		const limited = await openApi({ rateLimit: 3, dashboard: {} });
		const busy = await signIn(limited, limited.seeded.keys.full);
		const statuses: number[] = [];
		for (let count = 0; count < 4; count++)
			statuses.push((await busy.request("GET", LIST)).status);
		expect(statuses).toEqual([200, 200, 200, 429]);
		const { status } = await busy.request("DELETE", "/_admin/session");
		expect(status).toBe(200);
		await limited.close();
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
		const fixed = { cookie: `partnerwire_session=pws_${"0".repeat(43)}` };
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
		await signIn(api, api.seeded.keys.read);
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
