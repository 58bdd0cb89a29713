import { OPERATION_IDS } from "@partnerwire/contract";
import { ApiError, createClient } from "@partnerwire/sdk";
import { expect, test } from "vitest";

const LEAD = "0190b1e0-0000-7000-8000-000000000001";
const INTEGRATION = "0190b1e0-0000-7000-8000-000000000002";

interface Sent {
	url: string;
	method: string | undefined;
	headers: Headers;
	body: unknown;
}

/** A client whose requests are kept, and answered with the given response. */
function createTestClient(answer: () => Response = () => Response.json({})) {
	const sent: Sent[] = [];
	const client = createClient({
		baseUrl: "http://service.example/base//",
		apiKey: "pwk_secret",
		retries: 0,
		fetch: async (url, init) => {
			sent.push({
				url: String(url),
				method: init?.method,
				headers: new Headers(init?.headers),
				body: init?.body,
			});
			return answer();
		},
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

test("a member of a DELETE that was never set is said, not left out", async () => {
	const { client, sent } = createTestClient();
	const params = { uuid: LEAD };
	const uuids = undefined;
	for (const call of [{ query: { uuids } }, { body: { uuids } }])
		await expect(
			client.deleteLeadCustomFields({ params, ...call }),
		).rejects.toThrow("uuids is undefined: set it, or leave it out");
	expect(sent).toEqual([]);
	await client.deleteLeadCustomFields({ params });
	expect(sent).toHaveLength(1);
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

test.each([
	"<html>Bad gateway</html>",
	"",
	"null",
	'{"error":{"code":"unheard_of","message":"x"}}',
])(
	"the answer %j without the API's error body names the status",
	async (text) => {
		const { client } = createTestClient(
			() => new Response(text, { status: 502 }),
		);
		await expect(client.listLeads()).rejects.toMatchObject({
			code: "internal_error",
			message: "the server answered 502 without an error body",
		});
	},
);

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
