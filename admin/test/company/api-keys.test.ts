import { afterAll, beforeAll, expect, test } from "vitest";
import { readEverything } from "#kit/database/database.ts";
import { type Api, openApi } from "#kit/program/api.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

const listWith = (authorization: string) =>
	api.request("GET", "/v1/leads", { key: null, headers: { authorization } });

test("A093 Bearer and Api-Key are both taken, the scheme in any letter case", async () => {
	const { read } = api.seeded.keys;
	for (const scheme of ["Bearer", "Api-Key", "bearer", "API-KEY"])
		expect((await listWith(`${scheme} ${read}`)).status).toBe(200);
});

test("A095 a missing, unknown or malformed key answers 401 unauthorized", async () => {
	const { read } = api.seeded.keys;
	const wrong = [
		"Bearer pwk_unknown",
		"Api-Key x",
		"Bearer",
		"Bearer ",
		read,
		`Basic ${btoa(`x:${read}`)}`,
		`Token ${read}`,
		`Bearer ${read} x`,
		`Bearer ${read.slice(0, -1)}`,
		`Bearer ${read.toUpperCase()}`,
	];
	for (const header of wrong) {
		const { status, body } = await listWith(header);
		expect([header, status, body.error.code]).toEqual([
			header,
			401,
			"unauthorized",
		]);
	}
	const { status } = await api.request("GET", "/v1/leads", { key: null });
	expect(status).toBe(401);
});

test("A098 the value is answered by creation only, and is nowhere in the database", async () => {
	const { body: created } = await api.call("createApiKey", {
		body: { label: "Once", read: true },
		headers: { "idempotency-key": "once" },
	});
	expect(created.key).toMatch(/^pwk_[\w-]{43}$/);
	expect((await listWith(`Bearer ${created.key}`)).status).toBe(200);
	const { body } = await api.call("listApiKeys", { query: "?per_page=100" });
	const { key, ...shown } = created;
	expect(body.data).toContainEqual(shown);
	expect(JSON.stringify(body)).not.toContain(key);
	const stored = await readEverything(api.database);
	for (const value of [key, ...Object.values(api.seeded.keys)])
		expect(stored).not.toContain(value);
});

test("A099 a bad key and a bad uuid: 401; a read-only key and a bad uuid on DELETE: 403", async () => {
	const path = "/v1/leads/nonsense";
	const bad = await api.request("GET", path, { key: "pwk_bad" });
	expect(bad.status).toBe(401);
	const forbidden = await api.request("DELETE", path, {
		key: api.seeded.keys.read,
	});
	expect(forbidden.status).toBe(403);
});

test("A173 a revoked key answers 401 at once, and is not listed", async () => {
	const { body: created } = await api.call("createApiKey", {
		body: { label: "Short-lived", read: true, write: true },
	});
	const init = { key: created.key, params: { uuid: created.uuid } };
	expect((await api.call("revokeApiKey", init)).status).toBe(200);
	expect((await api.call("listApiKeys", init)).status).toBe(401);
	expect((await api.call("revokeApiKey", { params: init.params })).status).toBe(
		404,
	);
	const { body } = await api.call("listApiKeys");
	expect(JSON.stringify(body)).not.toContain(created.uuid);
});

test("a key never creates one with more permission than its own", async () => {
	const body = { label: "More", read: true, write: true };
	const { status } = await api.call("createApiKey", {
		key: api.seeded.keys.write,
		body,
	});
	expect(status).toBe(403);
	const nothing = await api.call("createApiKey", { body: { label: "None" } });
	expect(nothing.status).toBe(400);
});
