import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startEmulator } from "partnerwire/emulator";
import { describe, expect, test } from "vitest";
import { openApi } from "#kit/program/api.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { sendRaw } from "../support/raw-http.ts";
import { openEmulator } from "./support.ts";

/** With headers that fetch does not let anybody set. */
async function ask(url: string, path: string, headers: Record<string, string>) {
	const sent = request(url + path, { headers, method: "POST" });
	sent.end();
	const [response] = await once(sent, "response");
	return {
		status: response.statusCode,
		body: JSON.parse(await text(response)),
	};
}

test.each(["0.0.0.0", "::", "192.168.0.1", "partnerwire.example", ""])(
	"it does not start on %j",
	async (host) => {
		await expect(startEmulator({ host })).rejects.toThrow(
			"is not 127.0.0.1, ::1 or localhost",
		);
	},
);

describe("answers below /_emulator", () => {
	test.each([
		["another host name", { host: "evil.example" }, 404],
		[
			"a name that was turned to this address",
			{ host: "evil.example:80" },
			404,
		],
		["a proxy", { "x-forwarded-for": "203.0.113.1" }, 404],
		["a proxy's Forwarded", { forwarded: "for=203.0.113.1" }, 404],
		["another site's page", { origin: "https://evil.example" }, 403],
		["another site's form", { "sec-fetch-site": "cross-site" }, 403],
	])("not for %s", async (_, headers, status) => {
		const { url } = await openEmulator();
		for (const path of ["/reset", "/clock/resume", "/hooks/crm"])
			expect((await ask(url, `/_emulator${path}`, headers)).status).toBe(
				status,
			);
	});

	test.each([
		["another host name", { host: "evil.example" }],
		["a proxy", { "x-forwarded-for": "203.0.113.1" }],
		["another site's page", { origin: "https://evil.example" }],
		["another site's form", { "sec-fetch-site": "cross-site" }],
	])("nor anywhere else, whatever the key, for %s", async (_, headers) => {
		const { url, keys } = await openEmulator();
		const authorization = `Bearer ${keys.full}`;
		for (const path of ["/v1/account", "/mcp", "/_admin/session", "/"])
			expect(
				await ask(url, path, { authorization, ...headers }),
				path,
			).toMatchObject({ status: 403, body: { error: { code: "forbidden" } } });
	});

	test("for this machine, without a key", async () => {
		const { url, keys } = await openEmulator();
		const answer = await ask(url, "/_emulator/reset", { host: "localhost" });
		expect(answer).toMatchObject({ status: 200, body: { keys } });
	});

	test("only while it is an emulator: the service has no such paths", async () => {
		const api = await openApi();
		for (const path of ["/_emulator", "/_emulator/clock", "/_emulator/reset"])
			expect((await api.request("POST", path)).status).toBe(404);
		const headers = { "partnerwire-fault": "500" };
		expect((await api.request("GET", "/v1/tags", { headers })).status).toBe(
			200,
		);
		await api.close();
	});

	test("and 404 for what is not there", async () => {
		const { control } = await openEmulator();
		for (const [method, path] of [
			["GET", "/nothing"],
			["GET", "/reset"],
			["PUT", "/clock"],
			["POST", "/inbox"],
		] as const)
			expect((await control(method, path)).status, path).toBe(404);
		for (const name of ["", "a/b", "a%20b", "x".repeat(101)])
			expect((await control("POST", `/hooks/${name}`)).status, name).toBe(400);
	});
});

const USER = { first_name: "A", last_name: "B", email: "a@b.example" };
const SEED = { company: { name: "Own" }, users: [USER] };

test.each([
	["no company", { users: [USER] }, "company"],
	["no user", { ...SEED, users: [] }, "users: must hold at least one user"],
	["a misspelt member", { ...SEED, partner: [] }, "partner"],
	[
		"an e-mail that is none",
		{ ...SEED, users: [{ ...USER, email: "a" }] },
		"users/0/email: must be an e-mail",
	],
	["a user twice", { ...SEED, users: [USER, USER] }, "users/1: is there twice"],
	[
		"a tier twice",
		{ ...SEED, tiers: [{ label: "Gold" }, { label: "gold" }] },
		"tiers/1: is there twice",
	],
	[
		"a tag's unknown type",
		{ ...SEED, tags: [{ label: "A", type: "x" }] },
		"tags/0/type",
	],
	[
		"a partner without a type",
		{ ...SEED, partners: [{ name: "A" }] },
		"partners/0/partner_type",
	],
	[
		"a partner's unknown member",
		{ ...SEED, partners: [{ name: "A", partner_type: "reseller", nam: 1 }] },
		"partners/0/nam: is not known here",
	],
	[
		"a key that may do nothing",
		{ ...SEED, keys: [{ label: "A", read: false, write: false }] },
		"keys/0: must read, write or both",
	],
	[
		"a key of one kind alone",
		{ ...SEED, keys: [{ label: "A", read: true, write: true }] },
		"keys: must hold one that reads",
	],
	["an unknown module", { ...SEED, modules: ["chess"] }, "modules/0"],
	[
		"a wrong country",
		{ ...SEED, company: { name: "A", country: "UK1" } },
		"company/country",
	],
	[
		"a wrong phase",
		{
			...SEED,
			deal_stages: [{ label: "A", partner_type: "reseller", phase: "won" }],
		},
		"deal_stages/0/phase",
	],
] as [string, object, string][])(
	"a seed with %s is refused, and everything stays",
	async (_, seed, named) => {
		const emulator = await openEmulator();
		await emulator.createLead();
		const { status, body } = await emulator.control("POST", "/seed", seed);
		expect([status, body.error.message]).toEqual([
			400,
			expect.stringContaining(`body/${named}`),
		]);
		expect((await emulator.client.listLeads()).pagination.total).toBe(1);
		await expect(emulator.reset(seed as never)).rejects.toThrow(named);
		await expect(startEmulator({ seed: seed as never })).rejects.toThrow(named);
	},
);

test("a seed over HTTP becomes what a reset goes back to; an empty body is the first one again", async () => {
	const { control, url } = await openEmulator();
	const names = async (keys: { full: string }) => {
		const headers = { authorization: `Bearer ${keys.full}` };
		const answer = await fetch(`${url}/v1/partners`, { headers });
		const { data } = (await answer.json()) as { data: { name: string }[] };
		return data.map(({ name }) => name);
	};
	const partners = [{ name: "Only one", partner_type: "reseller" }];
	const seeded = await control("POST", "/seed", { ...SEED, partners });
	expect(await names(seeded.body.keys)).toEqual(["Only one"]);
	const reset = await control("POST", "/reset");
	expect(reset.body).toEqual(seeded.body);
	expect(await names(reset.body.keys)).toEqual(["Only one"]);
	const first = await control("POST", "/seed");
	expect(await names(first.body.keys)).toHaveLength(3);
});

test("a seed from a file; one that cannot be read, or is no JSON, is one sentence", async () => {
	const path = join(createTempFolder(), "seed.json");
	await expect(startEmulator({ seed: path })).rejects.toThrow(
		`the seed ${path} cannot be read`,
	);
	writeFileSync(path, "{");
	await expect(startEmulator({ seed: path })).rejects.toThrow(
		`the seed ${path} is not valid JSON`,
	);
	writeFileSync(path, JSON.stringify(SEED));
	const emulator = await openEmulator({ seed: path });
	expect((await emulator.client.getAccount()).name).toBe("Own");
});

test("resets at once, and requests meanwhile, all see one whole world", async () => {
	const emulator = await openEmulator();
	await emulator.connect();
	const reads = async () => {
		for (let i = 0; i < 10; i++)
			expect((await emulator.client.listPartners()).data).toHaveLength(3);
	};
	await Promise.all([reads(), emulator.reset(), reads(), emulator.reset()]);
	expect((await emulator.client.listIntegrations()).data).toEqual([]);
});

test("a port in use rejects, and leaves nothing behind", async () => {
	const { url } = await openEmulator();
	const port = Number(new URL(url).port);
	await expect(startEmulator({ port })).rejects.toThrow("EADDRINUSE");
});

/** Sends a target as it stands here, and answers the status and the body. */
async function askRaw(url: string, line: string, headers: string[] = []) {
	const { host } = new URL(url);
	const head = [`${line} HTTP/1.1`, `host: ${host}`, "connection: close"];
	const received = await sendRaw(url, (send) =>
		send([...head, ...headers, "", ""].join("\r\n")),
	);
	return [Number(received.slice(9, 12)), /"code":"(\w+)"/.exec(received)?.[1]];
}

test("an odd path reaches neither the controls nor the service", async () => {
	const { url, keys, client, createLead } = await openEmulator();
	const { uuid } = await createLead();
	const key = [`authorization: Bearer ${keys.full}`];
	for (const path of [
		"/v1/../_emulator/reset",
		"/_emulator/%2e%2e/_emulator/reset",
		"/_emulator/clock/../reset",
		"/_emulator//reset",
		"/_emulator/%72eset",
		"/_emulator/reset;x",
		"/_emulator/reset#x",
		"/_emulator/x\\..\\reset",
		"/_emulator/hooks/..",
		"/_emulator/%zz",
		`/v1/leads/${uuid}/notes/%2e%2e`,
	]) {
		const refusal = [400, "validation_error"];
		for (const target of [path, url + path])
			expect([target, await askRaw(url, `POST ${target}`, key)]).toEqual([
				target,
				refusal,
			]);
	}
	expect(await askRaw(url, "DELETE /v1/leads/%2e%2e")).toEqual([
		401,
		"unauthorized",
	]);
	expect((await client.getLead({ params: { uuid } })).uuid).toBe(uuid);
});

test.each(["/inbox", "/faults"])(
	"an empty id, a filter or a body of DELETE %s does not remove everything",
	async (path) => {
		const { connect, createLead, control, faults, inbox } =
			await openEmulator();
		await connect();
		await createLead();
		await inbox.waitFor(1);
		faults.add({ kind: "500", path: "/v1/tasks" });
		const left = () => [inbox.list().length, faults.list().length];
		const before = left();
		for (const suffix of ["/", "?name=crm", "?id=1", "/?"])
			expect((await control("DELETE", path + suffix)).status).toBe(400);
		expect((await control("DELETE", path, { id: 1 })).status).toBe(400);
		expect(left()).toEqual(before);
		expect((await control("DELETE", path, {})).status).toBe(200);
		expect(left()).not.toEqual(before);
	},
);
