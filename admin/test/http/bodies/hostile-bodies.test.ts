import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { expectRefused } from "../../support/row-counts.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi();
});
afterAll(() => api.close());

const JSON_TYPE = "application/json";
const VALID = '{"name":"Globex","partner_type":"referral"}';
const post = (body: string, headers: Record<string, string> = {}) =>
	api.request("POST", "/v1/partners", { body, headers });

const nested = (levels: number) =>
	VALID.replace(
		"}",
		`,"x":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`,
	);
test("a body may have 100 levels, and no more", async () => {
	expect((await post(nested(100))).status).toBe(201);
	for (const levels of [101, 200_000])
		await expectRefused(
			api,
			() => post(nested(levels), { "idempotency-key": "deep" }),
			"body: is nested too deeply",
		);
});

test.each([
	["a byte that starts nothing", [0xff]],
	["a character that is cut off", [0xf0, 0x9f, 0x98]],
	["an encoded surrogate", [0xed, 0xa0, 0x80]],
])("a body with %s is not UTF-8, and refused", async (_, bytes) => {
	const [before = "", after = ""] = VALID.split("Globex");
	const body = Buffer.concat([
		Buffer.from(before),
		Buffer.from(bytes),
		Buffer.from(after),
	]);
	await expectRefused(
		api,
		async () => {
			const response = await fetch(`${api.url}/v1/partners`, {
				method: "POST",
				headers: {
					authorization: `Bearer ${api.seeded.keys.full}`,
					"content-type": JSON_TYPE,
				},
				body,
			});
			return {
				status: response.status,
				headers: response.headers,
				body: await response.json(),
			};
		},
		"body: is not valid UTF-8",
	);
});

test("a replacement character that was sent as such is kept", async () => {
	const { body } = await post(VALID.replace("Globex", "\uFFFD"));
	expect(body.name).toBe("\uFFFD");
});

test.each([
	["gzip", gzipSync(VALID)],
	["br", brotliCompressSync(VALID)],
	["GZIP, identity", gzipSync(VALID)],
	["gzip", Buffer.from(VALID)],
])(
	"a body in %s is refused by its Content-Encoding",
	async (encoding, body) => {
		const response = await fetch(`${api.url}/v1/partners`, {
			method: "POST",
			headers: {
				authorization: `Bearer ${api.seeded.keys.full}`,
				"content-type": JSON_TYPE,
				"content-encoding": encoding,
			},
			body: new Uint8Array(body),
		});
		expect([response.status, await response.json()]).toMatchObject([
			400,
			{
				error: { message: expect.stringMatching(/^body: .*Content-Encoding/) },
			},
		]);
	},
);

test("a body that is not encoded may say so", async () => {
	const { status } = await post(VALID, { "content-encoding": "identity" });
	expect(status).toBe(201);
});
