import { MAX_UUID, OPERATION_IDS, operations } from "@partnerwire/contract";
import { ApiError, createClient, createMethods } from "@partnerwire/sdk";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { isWord, namesOf, toParams } from "./calls.ts";

/*
 * A path parameter that is empty, or that URLs read as a way up, names another operation: the list, or the parent that is then archived.
 * Every operation of the table refuses such a call itself, because no server can tell it from one that was meant.
 */
type Params = Record<string, unknown>;
type Call = (call?: { params?: Params }) => Promise<unknown>;

const withParams = OPERATION_IDS.map(
	(id) => [id, namesOf(operations[id].path)] as const,
).filter(([, names]) => names.length > 0);

const NO_SEGMENT: readonly unknown[] = [
	...[
		"",
		".",
		"..",
		"%2e%2e",
		"%2E",
		"a/b",
		"/",
		"\\",
		"a\\..",
		"..;",
		"?",
		"#",
	],
	...[
		" ",
		`${MAX_UUID} `,
		`${MAX_UUID}\n`,
		`${MAX_UUID}/..`,
		"\u0000",
		"\u2024",
	],
	...[
		undefined,
		null,
		7,
		Number.NaN,
		true,
		{},
		[MAX_UUID],
		{ toString: () => MAX_UUID },
	],
];
/** Names that other routes have beside their records: `/v1/deals/partner-roles`, `/v1/webhook-events/feed`. */
const NO_UUID: readonly unknown[] = [
	"partner-roles",
	"feed",
	"ledger",
	"x",
	"me",
];

function createRecorder() {
	const sent: string[] = [];
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_x",
		fetch: async (url) => {
			sent.push(String(url));
			return Response.json({});
		},
	});
	return { client, sent };
}

test("the table has operations with path parameters, all of them uuids but the module", () => {
	expect(withParams.length).toBeGreaterThan(200);
	for (const [id, names] of withParams) {
		const { properties = {} } = z.toJSONSchema(operations[id].params, {
			io: "input",
		});
		expect([id, Object.keys(properties)]).toEqual([id, names]);
		for (const name of names.filter((name) => !isWord(name)))
			expect([id, properties[name]]).toMatchObject([id, { format: "uuid" }]);
	}
});

describe.each(withParams)("%s", (id, names) => {
	const good = toParams(names);

	test("a call with its parameters is sent, once", async () => {
		const { client, sent } = createRecorder();
		await (client[id] as Call)({ params: good });
		const path = operations[id].path.replace(
			/\{(\w+)\}/g,
			(_, name: string) => good[name] as string,
		);
		expect(sent).toEqual([`http://service.example${path}`]);
	});

	async function expectRefused(call: unknown, name: string) {
		const { client, sent } = createRecorder();
		const error = await (client[id] as Call)(call as { params?: Params }).catch(
			(caught: unknown) => caught,
		);
		expect(error, JSON.stringify(call)).toBeInstanceOf(ApiError);
		expect(error).toMatchObject({
			code: "validation_error",
			message: expect.stringContaining(`${id}: path/${name}: `),
			details: [
				{
					field: `path/${name}`,
					reason: expect.stringMatching(/^(missing_required|invalid_value)$/),
					message: expect.stringMatching(/^(is required|must be )/),
				},
			],
		});
		expect(sent).toEqual([]);
	}

	test.each(names)("a wrong %s is refused before a request", async (name) => {
		for (const value of isWord(name) ? NO_SEGMENT : [...NO_SEGMENT, ...NO_UUID])
			await expectRefused({ params: { ...good, [name]: value } }, name);
	});

	test.each([undefined, {}, { params: undefined }, { params: {} }])(
		"a call of %j is refused before a request",
		(call) => expectRefused(call, names[0] as string),
	);
});

test("a transport of one's own is not reached either", async () => {
	let reached = 0;
	const client = createMethods(async () => ++reached);
	await expect(client.getLead({ params: { uuid: ".." } })).rejects.toThrow(
		"getLead: path/uuid: must be a UUID",
	);
	expect(reached).toBe(0);
});

test("the refusal does not repeat what was given: it may be a secret in the wrong place", async () => {
	const { client } = createRecorder();
	const error = await client
		.getIntegration({ params: { integration_id: "pwk_secret" } })
		.catch((caught: unknown) => caught);
	expect(JSON.stringify([String(error), error])).not.toContain("pwk_secret");
});
