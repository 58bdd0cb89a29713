import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { operations } from "@partnerwire/contract";
import { ApiError, createClient } from "@partnerwire/sdk";
import { expect, onTestFinished, test, vi } from "vitest";
import { CALLS } from "./calls.ts";

/* Something between the client and the service may answer: a proxy, a login page, a load balancer. */

interface Answer {
	readonly status: number;
	readonly body: string | null;
	readonly headers?: Record<string, string>;
}

const HTML = "<!doctype html><title>Bad gateway</title>";
const NOT_OURS: readonly Answer[] = [
	...["", " ", HTML, '{"uuid": "0190', "undefined", '"OK"', "7", "true"].map(
		(body) => ({ status: 200, body }),
	),
	{ status: 201, body: HTML },
	{ status: 204, body: null },
	...[301, 302, 303, 307, 308].map((status) => ({
		status,
		body: HTML,
		headers: { location: "https://sso.example/login?next=secret" },
	})),
	{ status: 304, body: null },
	...[400, 401, 403, 404, 407, 409, 413, 418, 500, 501, 502, 504, 520].map(
		(status) => ({ status, body: HTML }),
	),
	...["[]", "null", "7", '"no"', "{}", '{"error":null}', '{"error":"no"}'].map(
		(body) => ({ status: 502, body }),
	),
	{ status: 429, body: "[]", headers: { "retry-after": "3600" } },
	{ status: 503, body: HTML, headers: { "retry-after": "3600" } },
];

/** The first operation of each method. */
const CALL_OF_EACH_METHOD = CALLS.filter(
	([id], n) =>
		CALLS.findIndex(
			([other]) => operations[other].method === operations[id].method,
		) === n,
);

test.each(NOT_OURS)(
	"the answer $status $body is one ApiError with that status, at once, whatever was asked",
	async ({ status, body, headers = {} }) => {
		let asked = 0;
		const client = createClient({
			baseUrl: "http://service.example",
			apiKey: "pwk_secret",
			fetch: async () => {
				asked++;
				return new Response(body, { status, headers });
			},
		});
		for (const [id, call] of CALL_OF_EACH_METHOD) {
			const error = await client[id](call as never).catch((caught) => caught);
			expect(error, id).toBeInstanceOf(ApiError);
			expect([id, error.status, error.code]).toEqual([
				id,
				status,
				status === 429 ? "rate_limit_exceeded" : "internal_error",
			]);
			expect(error.message).toMatch(/^the server answered /);
			expect(error.message).not.toMatch(/secret|Bad gateway/);
		}
		expect(asked).toBe(5);
	},
);

test.each([429, 503])(
	"a proxy's %i is repeated only where the request may run twice, and ours always",
	async (status) => {
		const ours = JSON.stringify({
			error: { code: "rate_limit_exceeded", message: "later" },
		});
		for (const [id, call] of CALL_OF_EACH_METHOD)
			for (const body of [HTML, ours]) {
				let asked = 0;
				const client = createClient({
					baseUrl: "http://service.example",
					apiKey: "pwk_secret",
					retries: 1,
					fetch: async () => {
						asked++;
						return new Response(body, { status });
					},
				});
				vi.useFakeTimers();
				onTestFinished(() => void vi.useRealTimers());
				const refused = expect(client[id](call as never)).rejects.toThrow();
				await vi.runAllTimersAsync();
				await refused;
				const { method } = operations[id];
				const mayRunTwice = method !== "PATCH" && method !== "DELETE";
				expect([method, asked]).toEqual([
					method,
					body === ours || mayRunTwice ? 2 : 1,
				]);
			}
	},
);

test("an error of ours keeps its code, with the status under which it came", async () => {
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_secret",
		retries: 0,
		fetch: async () =>
			Response.json(
				{ error: { code: "internal_error", message: "restarting" } },
				{ status: 503 },
			),
	});
	await expect(client.listLeads()).rejects.toMatchObject({
		code: "internal_error",
		status: 503,
		message: "restarting",
	});
});

test("no redirect is followed, over real sockets: not to another operation, another server, or for ever", async () => {
	const asked: string[] = [];
	const server = createServer(({ method, url }, response) => {
		asked.push(`${method} ${url}`);
		response.writeHead(302, { location: "/v1/leads" }).end();
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const client = createClient({
		baseUrl: `http://127.0.0.1:${port}`,
		apiKey: "pwk_secret",
	});
	for (const [id, call] of CALLS)
		await expect(client[id](call as never), id).rejects.toMatchObject({
			name: "ApiError",
			status: 302,
			message: expect.stringContaining("redirect"),
		});
	expect(asked).toEqual(
		CALLS.map(
			([id, { params }]) =>
				`${operations[id].method} ${operations[id].path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string)}`,
		),
	);
});

test.each([
	["http://service.example/v1", true],
	["http://service.example/v1/", true],
	["http://service.example/base/v1//", true],
	["http://service.example", false],
	["http://service.example/v11", false],
	["http://v1", false],
])(
	"a 404 at the address %s says whether /v1 is there twice: %s",
	async (baseUrl, isHinted) => {
		for (const body of [
			'{"error":{"code":"not_found","message":"route not found"}}',
			HTML,
		]) {
			const client = createClient({
				baseUrl,
				apiKey: "pwk_secret",
				fetch: async () => new Response(body, { status: 404 }),
			});
			const error: Error = await client.listLeads().catch((caught) => caught);
			expect(error.message.includes("leave it out at the end")).toBe(isHinted);
		}
	},
);
