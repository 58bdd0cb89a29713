// MCP below the tools: which requests are answered, what is wrong with one, and batches.

import { describe, expect, test } from "vitest";
import { openApi } from "#kit/program/api.ts";
import { useApi } from "../support/api-world.ts";
import { createMcp, type Message, toRequest } from "../support/mcp-messages.ts";

const api = useApi();
const { send } = createMcp(api);

const INITIALIZE = {
	protocolVersion: "2025-03-26",
	capabilities: {},
	clientInfo: { name: "test", version: "1" },
};

test.each([
	"*/*",
	"application/json",
	"application/json, text/event-stream",
	"text/event-stream",
	"text/html;q=0.5",
	"",
])("the answer is JSON when the client accepts %j", async (accept) => {
	const { status, headers, body } = await send(toRequest("ping"), {
		headers: { accept },
	});
	expect([status, headers.get("content-type"), body]).toEqual([
		200,
		"application/json",
		{ jsonrpc: "2.0", id: 1, result: {} },
	]);
});

describe("wrong params are -32602, in a sentence", () => {
	const withArguments = (given: unknown) => ({
		name: "listPartners",
		arguments: given,
	});
	test.each<[method: string, params?: unknown]>([
		["tools/call"],
		["tools/call", {}],
		["tools/call", { name: 1 }],
		["tools/call", withArguments([])],
		["tools/call", withArguments("text")],
		["tools/call", withArguments(1)],
		["tools/call", withArguments(null)],
		["tools/list", { cursor: 5 }],
		["initialize"],
		["initialize", {}],
		["initialize", { ...INITIALIZE, clientInfo: "test" }],
	])("%s %j", async (method, params) => {
		const { status, body } = await send(toRequest(method, params));
		const { id, error } = body as Message;
		expect([status, id, error?.code]).toEqual([200, 1, -32602]);
		expect(error?.message).toMatch(
			new RegExp(`^the params of ${method} must be an object with `),
		);
		expect(error?.message).not.toContain("expected");
	});
});

test.each([
	["no JSON", "{", -32700],
	["no body", "", -32700],
	["a body that is cut", '{"jsonrpc":"2.0","id":1', -32700],
	["a batch of none", [], -32600],
	["too large a batch", Array(101).fill(toRequest("ping")), -32600],
	["two requests of one id", [toRequest("ping"), toRequest("ping")], -32600],
	[
		"a batch with more than an initialize",
		[toRequest("ping"), toRequest("initialize", INITIALIZE, 2)],
		-32600,
	],
])("%s is told in the protocol's own form", async (_, message, code) => {
	const { status, body } = await send(message);
	expect(status).toBe(400);
	expect(body).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
});

describe("what is JSON and no message is -32600, in one sentence, and names its id if it has one", () => {
	const ping = toRequest("ping");
	const cases: [message: unknown, id?: unknown][] = [
		[{}],
		[1],
		[true],
		[null],
		['"text"'],
		[{ id: 7 }, 7],
		[{ ...ping, jsonrpc: undefined }, 1],
		[{ ...ping, jsonrpc: "1.0" }, 1],
		[{ ...ping, id: "a", method: undefined }, "a"],
		[{ ...ping, method: 5 }, 1],
		[{ ...ping, method: null }, 1],
		[{ ...ping, id: null }],
		[{ ...ping, id: 1.5 }],
		[{ ...ping, id: {} }],
		[{ ...ping, foo: 1 }, 1],
		...[[], "text", 5, true, null].map((params): [unknown, unknown] => [
			{ ...toRequest("tools/call", params), id: 3 },
			3,
		]),
		[{ jsonrpc: "2.0", method: "notifications/initialized", params: [] }],
	];
	const toAnswer = (id: unknown = null) => ({
		jsonrpc: "2.0",
		id,
		error: {
			code: -32600,
			message: expect.stringMatching(/^a message must be an object with /),
		},
	});

	test.each(cases)("%j", async (message, id) => {
		const { status, body } = await send(message);
		expect([status, body]).toEqual([400, toAnswer(id)]);
	});

	test("in a batch, beside the answers of the others", async () => {
		const bad = cases.map(([message]) =>
			typeof message === "string" ? JSON.parse(message) : message,
		);
		const answers = cases.map(([, id]) => toAnswer(id));
		expect((await send(bad)).body).toEqual(answers);
		const notification = { jsonrpc: "2.0", method: "notifications/x" };
		expect((await send([...bad, notification])).body).toEqual(answers);
		expect((await send([...bad, toRequest("ping", {}, "p")])).body).toEqual([
			{ jsonrpc: "2.0", id: "p", result: {} },
			...answers,
		]);
	});
});

describe("a batch", () => {
	test.each([
		["2024-11-05", 200],
		["2025-03-26", 200],
		["2025-06-18", 400],
		["2025-11-25", 400],
	])(
		"of version %s is answered %i, as that version has it",
		async (version, expected) => {
			const headers = { "mcp-protocol-version": version };
			const { status, body } = await send([toRequest("ping")], { headers });
			expect([status, body]).toEqual([
				expected,
				expected === 200
					? [{ jsonrpc: "2.0", id: 1, result: {} }]
					: {
							jsonrpc: "2.0",
							id: null,
							error: {
								code: -32600,
								message:
									"the protocol has no batches since its version 2025-06-18: send each message alone",
							},
						},
			]);
		},
	);

	test("is answered message by message, whatever each of them comes to", async () => {
		const { status, body } = await send([
			toRequest("tools/call", { name: "listUsers", arguments: {} }, "a"),
			toRequest("tools/call", { name: "listUsers", arguments: [] }, "b"),
			toRequest("nothing", {}, "c"),
			{ jsonrpc: "2.0", method: "notifications/initialized" },
		]);
		expect(status).toBe(200);
		const answers = body as Message[];
		expect(
			answers.map(({ id, error, result }) => [id, error?.code ?? result]),
		).toEqual([
			["a", expect.objectContaining({ isError: false })],
			["b", -32602],
			["c", -32601],
		]);
	});

	test("of one is answered as a batch", async () => {
		const { body } = await send([toRequest("ping")]);
		expect(body).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
	});

	test("of notifications is accepted without an answer", async () => {
		const { status, body } = await send([
			{ jsonrpc: "2.0", method: "notifications/initialized" },
		]);
		expect([status, body]).toEqual([202, ""]);
	});

	test("that cancels its own request is answered all the same", async () => {
		const { body } = await send([
			toRequest("tools/call", { name: "listUsers", arguments: {} }),
			{
				jsonrpc: "2.0",
				method: "notifications/cancelled",
				params: { requestId: 1 },
			},
		]);
		expect((body as Message[])[0]?.result?.isError).toBe(false);
	});

	test("counts as its messages, and none of them runs beyond the limit", async () => {
		const at = await openApi({ rateLimit: 4 });
		const partner = { name: "Globex", partner_type: "referral" };
		const create = (id: number) =>
			toRequest(
				"tools/call",
				{ name: "createPartner", arguments: partner },
				id,
			);
		const before = await at.request("GET", "/v1/partners");
		const refused = await send([1, 2, 3, 4].map(create), { at });
		expect([refused.status, refused.headers.get("retry-after")]).toEqual([
			429,
			expect.stringMatching(/^\d+$/),
		]);
		at.clock.advance(60_000);
		const after = await at.request("GET", "/v1/partners");
		expect(after.body.pagination).toEqual(before.body.pagination);
		const { status, headers } = await send([1, 2, 3].map(create), { at });
		expect([status, headers.get("ratelimit-remaining")]).toEqual([200, "0"]);
		await at.close();
	});
});
