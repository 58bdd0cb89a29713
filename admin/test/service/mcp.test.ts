import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { operations, TOOL_NAMES } from "@partnerwire/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	createIntegration,
	createLead,
	createPartner,
	UNKNOWN_UUID,
} from "../support/records.ts";

let api: Api;
let full: Client;
const clients: Client[] = [];

/** The official client, over a real socket. */
async function connect(at: Api, key: string): Promise<Client> {
	const client = new Client({ name: "test", version: "1.0.0" });
	const headers = { authorization: `Bearer ${key}` };
	const transport = new StreamableHTTPClientTransport(
		new URL(`${at.url}/mcp`),
		{ requestInit: { headers } },
	);
	// The SDK is not written for exactOptionalPropertyTypes.
	await client.connect(transport as never);
	clients.push(client);
	return client;
}

async function callOn(client: Client, name: string, given: object = {}) {
	const { content, isError } = await client.callTool({
		name,
		arguments: { ...given },
	});
	const [{ text }] = content as [{ text: string }];
	return { answer: JSON.parse(text), isError };
}
const call = (name: string, given?: object) => callOn(full, name, given);

beforeAll(async () => {
	api = await openApi();
	full = await connect(api, api.seeded.keys.full);
});
afterAll(async () => {
	for (const client of clients) await client.close();
	await api.close();
});

const INITIALIZE = {
	jsonrpc: "2.0",
	id: 1,
	method: "initialize",
	params: {
		protocolVersion: "2025-06-18",
		capabilities: {},
		clientInfo: { name: "test", version: "1" },
	},
};

async function post(at: Api, key: string | null, body: unknown = INITIALIZE) {
	const response = await fetch(`${at.url}/mcp`, {
		method: "POST",
		headers: {
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			...(key && { authorization: `Bearer ${key}` }),
		},
		body: JSON.stringify(body),
	});
	return { status: response.status, headers: response.headers, response };
}

describe("the door", () => {
	test("A007: an initialize call with a key is answered", async () => {
		const { status, response } = await post(api, api.seeded.keys.read);
		expect(status).toBe(200);
		const { result } = (await response.json()) as {
			result: { serverInfo: { name: string }; instructions: string };
		};
		expect(result.serverInfo.name).toBe("partnerwire");
		expect(result.instructions).toContain("uuid");
	});

	test.each([null, "pwk_wrong"])("A100: 401 with the key %s", async (key) => {
		const { status, headers, response } = await post(api, key);
		expect(status).toBe(401);
		expect(headers.get("www-authenticate")).toMatch(/^Bearer/);
		expect(await response.json()).toMatchObject({
			error: { code: "unauthorized" },
		});
	});

	test("A006: 403 module_disabled without the module, and the REST API still answers", async () => {
		const other = await api.addCompany();
		const key = other.keys.full;
		const off = { key, body: { enabled: false } };
		await api.request("PATCH", "/v1/account/modules/api_mcp", off);
		for (const method of ["POST", "GET", "DELETE"]) {
			const headers = { authorization: `Bearer ${key}` };
			const response = await fetch(`${api.url}/mcp`, { method, headers });
			expect(response.status).toBe(403);
			expect(await response.json()).toMatchObject({
				error: { code: "module_disabled" },
			});
		}
		const { status } = await api.request("GET", "/v1/partners", { key });
		expect(status).toBe(200);
	});

	test("other methods are 405, with the one that is allowed", async () => {
		const headers = { authorization: `Bearer ${api.seeded.keys.full}` };
		for (const method of ["GET", "DELETE"]) {
			const response = await fetch(`${api.url}/mcp`, { method, headers });
			expect(response.status).toBe(405);
			expect(response.headers.get("allow")).toBe("POST");
		}
	});

	test("messages count in the same window as the REST API", async () => {
		const limited = await openApi({ rateLimit: 3 });
		const key = limited.seeded.keys.full;
		await limited.request("GET", "/v1/partners", { key });
		await post(limited, key);
		await post(limited, key);
		const { status, headers } = await post(limited, key);
		expect(status).toBe(429);
		expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
		await limited.close();
	});

	test.each([
		["not JSON", "{"],
		["an array", "[]"],
		["no message", "{}"],
	])("%s is refused, not a fault", async (_, body) => {
		const headers = {
			authorization: `Bearer ${api.seeded.keys.full}`,
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
		};
		const init = { method: "POST", headers, body };
		expect((await fetch(`${api.url}/mcp`, init)).status).toBe(400);
	});
});

describe("the tools", () => {
	test("are those that the key may use", async () => {
		const namesFor = async (key: string) =>
			(await (await connect(api, key)).listTools()).tools.map(
				({ name }) => name,
			);
		const { read, write } = api.seeded.keys;
		const ofPermission = (permission: string) =>
			TOOL_NAMES.filter((name) => operations[name].permission === permission);
		expect(await namesFor(read)).toEqual(ofPermission("read"));
		expect(await namesFor(write)).toEqual(ofPermission("write"));
		expect((await full.listTools()).tools).toHaveLength(TOOL_NAMES.length);
	});

	test("a tool that the key may not use answers the error envelope", async () => {
		const reader = await connect(api, api.seeded.keys.read);
		const { answer, isError } = await callOn(reader, "createPartner", {
			name: "Globex",
			partner_type: "referral",
		});
		expect(isError).toBe(true);
		expect(answer.error.code).toBe("forbidden");
	});

	test("a tool that is none is the protocol's own error", async () => {
		for (const name of ["archivePartner", "createApiKey", "constructor"])
			await expect(full.callTool({ name, arguments: {} })).rejects.toThrow(
				`there is no tool ${name}`,
			);
	});
});

describe("a call", () => {
	test("creates, finds, reads and changes as the API does", async () => {
		const partner = await createPartner(api);
		const created = await call("createLead", {
			partnership_uuid: partner.uuid,
			company_name: "Found by MCP",
			email: "a@b.example",
			// Models send nulls unasked.
			source: null,
		});
		expect(created.isError).toBe(false);
		const { uuid } = created.answer;
		const found = await call("listLeads", { search: "by mcp", per_page: 1 });
		expect(found.answer.data[0].uuid).toBe(uuid);
		const updated = await call("updateLead", {
			uuid,
			company_name: null,
			first_name: "Ada",
			clear: ["email"],
		});
		expect(updated.answer).toMatchObject({
			company_name: "Found by MCP",
			first_name: "Ada",
			email: null,
		});
		const read = await api.request("GET", `/v1/leads/${uuid}`);
		expect(read.body).toEqual((await call("getLead", { uuid })).answer);
		const audit = await call("listAuditLog", { entity_uuid: uuid });
		const actions = audit.answer.data.map(({ action }: never) => action);
		// Both of one moment of the test's clock: their order is by uuid.
		expect(actions.sort()).toEqual(["created", "updated"]);
	});

	test.each([
		["an unknown record", "getLead", { uuid: UNKNOWN_UUID }, "not_found"],
		["a malformed uuid", "getLead", { uuid: "1" }, "validation_error"],
		["a missing member", "getLead", {}, "validation_error"],
		[
			"a member both given and cleared",
			"updateLead",
			{ uuid: UNKNOWN_UUID, email: "a@b.example", clear: ["email"] },
			"validation_error",
		],
		[
			"a clear that is no list",
			"updateLead",
			{ uuid: UNKNOWN_UUID, clear: "email" },
			"validation_error",
		],
		[
			"a member that cannot be cleared",
			"updateLead",
			{ uuid: UNKNOWN_UUID, clear: ["status"] },
			"validation_error",
		],
	])("%s answers the error envelope", async (_, name, given, code) => {
		const { answer, isError } = await call(name, given);
		expect(isError).toBe(true);
		expect(answer.error.code).toBe(code);
		expect(answer.error.message).toBeTypeOf("string");
	});

	test("pauses and resumes an integration, and another company's record is not found", async () => {
		const { id } = await createIntegration(api);
		const given = { integration_id: id };
		const paused = await call("pauseIntegration", {
			...given,
			reason: "quiet",
		});
		expect(paused.answer.status).toBe("paused");
		expect((await call("resumeIntegration", given)).answer.status).toBe(
			"active",
		);
		const other = await connect(api, (await api.addCompany()).keys.full);
		const partner = await createPartner(api);
		const lead = await createLead(api, partner.uuid);
		const stolen = await callOn(other, "getLead", { uuid: lead.uuid });
		expect(stolen.answer.error.code).toBe("not_found");
	});
});

describe("an id is a uuid", () => {
	const withIds = TOOL_NAMES.map((name) => ({
		name,
		ids: Object.keys(
			(operations[name].params as unknown as { shape: object }).shape,
		),
	})).filter(({ ids }) => ids.length > 0);

	test.each(withIds)("$name", async ({ name, ids }) => {
		for (const odd of ["", ".", "..", "%2e%2e", "a/b", `${UNKNOWN_UUID}/..`]) {
			const given = Object.fromEntries(ids.map((id) => [id, odd]));
			const { answer, isError } = await call(name, given);
			expect([isError, answer.error.code]).toEqual([true, "validation_error"]);
			expect(answer.error.message).toContain(`path/${ids[0]}: `);
		}
	});
});

test("an exact operation names the member that it does not know", async () => {
	const names = TOOL_NAMES.filter((name) => operations[name].exact);
	expect(names).not.toHaveLength(0);
	const { id } = await createIntegration(api);
	for (const name of names) {
		const { answer, isError } = await call(name, {
			integration_id: id,
			rate_per_secnd: 1,
		});
		expect(isError).toBe(true);
		expect(answer.error.message).toBe("body/rate_per_secnd: is not known here");
	}
});
