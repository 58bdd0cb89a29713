import { OPERATION_IDS, operations } from "@partnerwire/contract";
import { ApiError, createClient } from "@partnerwire/sdk";
import { afterEach, describe, expect, test } from "vitest";
import type * as z from "zod";
import { CALLS } from "./calls.ts";

const LEAD = "0190b1e0-0000-7000-8000-000000000001";
const INTEGRATION = "0190b1e0-0000-7000-8000-000000000002";

const ownFetch = globalThis.fetch;
afterEach(() => {
	globalThis.fetch = ownFetch;
});

interface Sent {
	url: string;
	method: string | undefined;
	headers: Headers;
	body: unknown;
}

/** A fetch that keeps the requests, and answers them with the given response. */
function createFakeFetch(answer: () => Response = () => Response.json({})) {
	const sent: Sent[] = [];
	const fetch: typeof globalThis.fetch = async (url, init) => {
		sent.push({
			url: String(url),
			method: init?.method,
			headers: new Headers(init?.headers),
			body: init?.body,
		});
		return answer();
	};
	return { fetch, sent };
}

/** A client of such a fetch. */
function createTestClient(answer?: () => Response) {
	const { fetch, sent } = createFakeFetch(answer);
	const client = createClient({
		baseUrl: "http://service.example/base//",
		apiKey: "pwk_secret",
		retries: 0,
		fetch,
	});
	return { client, sent };
}

test.each([undefined, null, "", " ", 7])(
	"the API key %j is none, which is said at once",
	(apiKey) => {
		const create = () =>
			createClient({ baseUrl: "http://x", apiKey: apiKey as string });
		expect(create).toThrow(
			new TypeError(
				"createClient needs an apiKey: the value of an API key, such as process.env.PARTNERWIRE_API_KEY",
			),
		);
	},
);

test.each<unknown>([undefined, null, 7])(
	"the address %j is none, which is said at once",
	(baseUrl) => {
		const create = () =>
			createClient({ baseUrl: baseUrl as string, apiKey: "pwk_x" });
		expect(create).toThrow(
			new TypeError(
				"createClient needs a baseUrl: the service's address, such as process.env.PARTNERWIRE_URL",
			),
		);
	},
);

describe.each([
	["timeoutMs", 1],
	["retries", 0],
	["maxRetryAfterMs", 0],
] as const)("%s", (name, least) => {
	const baseUrl = "http://service.example";
	const create = (value: unknown) =>
		createClient({ baseUrl, apiKey: "pwk_x", [name]: value });
	const message = `${name} must be a number of at least ${least}`;

	test.each([Number.NaN, -1, least - 0.5, null, "9", {}, true])(
		"%j is refused at once",
		(value) => {
			expect(() => create(value)).toThrow(new TypeError(message));
		},
	);

	test.each([undefined, least, 2 ** 31, 2 ** 60, Number.POSITIVE_INFINITY])(
		"%d is taken, and undefined means the default",
		async (value) => {
			const { sent, ...options } = createFakeFetch();
			const client = createClient({
				...{ baseUrl, apiKey: "pwk_x", ...options },
				[name]: value,
			});
			expect(await client.listLeads()).toEqual({});
			expect(sent).toHaveLength(1);
		},
	);
});

test("the time of a call is checked too, and undefined means the client's", async () => {
	const { client, sent } = createTestClient();
	await client.listLeads({}, { timeoutMs: undefined, signal: undefined });
	await expect(client.listLeads({}, { timeoutMs: -1 })).rejects.toThrow(
		"timeoutMs must be a number of at least 1",
	);
	expect(sent).toHaveLength(1);
});

test("a fetch that is undefined is the global one", async () => {
	const { sent, fetch } = createFakeFetch();
	globalThis.fetch = fetch;
	const baseUrl = "http://service.example";
	const options = { baseUrl, apiKey: "pwk_x", fetch: undefined };
	await createClient(options).listLeads();
	expect(sent).toHaveLength(1);
});

test("there is one method per operation", () => {
	expect(Object.keys(createTestClient().client).sort()).toEqual(
		[...OPERATION_IDS].sort(),
	);
});

test("parameters are filled in, unset query members left out, sets joined", async () => {
	const { client, sent } = createTestClient();
	await client.getLead({ params: { uuid: LEAD } });
	await client.listLeads({
		query: {
			page: 2,
			search: "a&b c",
			status: undefined,
			stage_uuids: ["x", "y"],
			archived: false,
		},
	});
	expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
		"GET http://service.example/base/v1/leads/0190b1e0-0000-7000-8000-000000000001",
		"GET http://service.example/base/v1/leads?page=2&search=a%26b+c&stage_uuids=x%2Cy&archived=false",
	]);
	expect(sent[0]?.headers.get("authorization")).toBe("Bearer pwk_secret");
	expect(sent[0]?.headers.has("content-type")).toBe(false);
});

describe("members that are not set", () => {
	const NOT_SET = [undefined, null, []];

	test("are left out of the query of every operation that has one, but of a DELETE's, which may then mean all", async () => {
		const { client, sent } = createTestClient();
		const withQuery = CALLS.flatMap(([id, call]) => {
			const { shape } = operations[id].query as z.ZodObject;
			return Object.keys(shape).map((name) => ({ id, call, name }));
		});
		expect(withQuery.length).toBeGreaterThan(150);
		for (const { id, call, name } of withQuery)
			for (const value of NOT_SET) {
				const query = { [name]: value };
				const answer = client[id]({ ...call, query } as never);
				if (operations[id].method === "DELETE")
					await expect(answer, id).rejects.toThrow(
						/^\w+ is (undefined|null|empty): set it, or leave it out$/,
					);
				else await answer;
			}
		expect(sent.length).toBeGreaterThan(450);
		expect(sent.filter(({ url }) => url.includes("?"))).toEqual([]);
	});

	test("are said in the body of a DELETE if it would not be sent", async () => {
		const { client, sent } = createTestClient();
		const params = { uuid: LEAD };
		const body = { uuids: undefined };
		await expect(
			client.deleteLeadCustomFields({ params, body }),
		).rejects.toThrow("uuids is undefined: set it, or leave it out");
		expect(sent).toEqual([]);
		await client.deleteLeadCustomFields({ params });
		expect(sent).toHaveLength(1);
	});
});

test("a body is sent as JSON, and only where one is given", async () => {
	const { client, sent } = createTestClient();
	await client.createLead({
		body: { partnership_uuid: "p", company_name: "Ünï" },
	});
	await client.pauseIntegration({ params: { integration_id: INTEGRATION } });
	expect(sent[0]).toMatchObject({
		method: "POST",
		body: '{"partnership_uuid":"p","company_name":"Ünï"}',
	});
	expect(sent[0]?.headers.get("content-type")).toBe("application/json");
	expect(sent[1]).toMatchObject({ method: "POST", body: undefined });
	expect(sent[1]?.headers.has("content-type")).toBe(false);
});

test("an error body becomes an ApiError with its code, details and Retry-After", async () => {
	const body = {
		error: {
			code: "rate_limit_exceeded",
			message: "slow down",
			details: [{ field: "f", reason: "r", message: "m" }],
		},
	};
	const { client } = createTestClient(() =>
		Response.json(body, { status: 429, headers: { "retry-after": "7" } }),
	);
	const error = await client.listLeads().catch((caught: unknown) => caught);
	expect(error).toBeInstanceOf(ApiError);
	expect(error).toMatchObject({
		code: "rate_limit_exceeded",
		status: 429,
		message: "slow down",
		retryAfterS: 7,
		details: body.error.details,
	});
});

test("A170 members that this version does not know are let through", async () => {
	const { client } = createTestClient(() =>
		Response.json({ data: [], pagination: {}, new_member: 1 }),
	);
	expect(await client.listLeads()).toHaveProperty("new_member", 1);
});

test("the key is in no error", async () => {
	const { client } = createTestClient(
		() => new Response("no", { status: 500 }),
	);
	const error = (await client.listLeads().catch((caught) => caught)) as Error;
	expect(`${error.message}${error.stack}`).not.toContain("pwk_secret");
});
