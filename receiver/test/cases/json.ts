import { expect } from "vitest";
import { BODY, GOOD, sha256, tok } from "#kit/endpoints/tokens.ts";
import { type Case, DUPLICATE, expectOk, expectRefusal } from "./case.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
	Buffer.concat(parts.map((part) => Buffer.from(part as string)));

/** Cases A: the content of the body. Case D12: its binding to the token. */
export const JSON_CASES: readonly Case[] = [
	{
		id: "A16",
		title: "an empty body is 400, after authentication",
		async run({ send }) {
			expectRefusal(await send({ body: "" }), "EMPTY_BODY");
			expectRefusal(await send({ body: "", chunked: true }), "EMPTY_BODY");
			expectRefusal(
				await send({ body: "", authorization: null }),
				"TOKEN_MISSING",
			);
		},
	},
	{
		id: "A17",
		title: "malformed JSON is 400 and echoes nothing",
		async run({ send, runs }) {
			const bodies = [
				'{"deal":',
				'{"deal":1}x',
				'{"deal":1}\0',
				"'",
				"NaN",
				"secret-looking",
			];
			for (const body of bodies) {
				const answer = await send({ body });
				expectRefusal(answer, "INVALID_JSON");
				expect(answer.text).not.toContain(body.slice(-7));
			}
			expect(runs.length).toBe(0);
		},
	},
	{
		id: "A18",
		title: "a body that is no object is 400",
		async run({ send }) {
			for (const body of ["null", "[]", '"x"', "0", "true"])
				expectRefusal(await send({ body }), "INVALID_SHAPE");
		},
	},
	{
		id: "A19",
		title: "nesting is capped at 128, without a stack overflow",
		async run({ send }) {
			const nested = (depth: number) =>
				`{"deal":{"uuid":"d","x":${"[".repeat(depth)}${"]".repeat(depth)}},"configuration":[]}`;
			expectOk(await send({ body: nested(126) }));
			for (const depth of [127, 20_000])
				expectRefusal(await send({ body: nested(depth) }), "TOO_DEEP");
		},
	},
	{
		id: "A20",
		title: "bytes that are not UTF-8 are 400",
		async run({ send }) {
			const body = bytes('{"deal":{"uuid":"', [0xff], '"},"configuration":[]}');
			expectRefusal(await send({ body }), "INVALID_UTF8");
		},
	},
	{
		id: "A22",
		title: "every spelling of a JSON type is accepted, none included",
		async run({ send, runs }) {
			const accepted = [
				null,
				"application/json",
				"Application/JSON; charset=UTF-8",
				"application/json; charset=utf8",
				'application/json;charset="utf-8"',
				"application/vnd.x+json",
				"text/plain",
				"application/json, application/json",
			];
			for (const type of accepted)
				expect((await send({ headers: { "content-type": type } })).status).toBe(
					200,
				);
			expect(runs.length).toBe(1);
			const charset = "application/json; charset=utf-16";
			for (const type of [charset, "text/plain; charset=iso-8859-1"])
				expectRefusal(
					await send({ headers: { "content-type": type } }),
					"UNSUPPORTED_MEDIA_TYPE",
				);
		},
	},
	{
		id: "A23",
		title: "a form is 415 and names the expected type",
		async run({ send }) {
			for (const type of [
				"application/x-www-form-urlencoded",
				"multipart/form-data; boundary=x",
			]) {
				const answer = await send({
					headers: { "content-type": type },
					body: `payload=${encodeURIComponent(BODY)}`,
				});
				expectRefusal(answer, "UNSUPPORTED_MEDIA_TYPE");
				expect(answer.text).toContain("application/json");
			}
		},
	},
	{
		id: "A24",
		title: "numbers that no double holds are told apart by their digits",
		async run({ send, runs }) {
			const id = (digits: string) =>
				`{"deal":{"uuid":"d","id":${digits},"updated_at":"t"},"configuration":[]}`;
			expectOk(await send({ body: id("9007199254740992") }));
			expectOk(await send({ body: id("9007199254740993") }));
			expectOk(await send({ body: id("9007199254740992.0") }), DUPLICATE);
			expectOk(await send({ body: id("1") }));
			for (const one of ["1.0", "10e-1", "0.1E+1"])
				expectOk(await send({ body: id(one) }), DUPLICATE);
			expect(Buffer.from(runs[1]?.rawBody ?? []).toString()).toContain("993");
		},
	},
	{
		id: "A26",
		title: "names such as __proto__ are only names",
		async run({ send, runs }) {
			const body =
				'{"deal":{"uuid":"d","__proto__":{"x":1},"constructor":2},"configuration":[{"id":"__proto__","selected":[{"id":"a","value":"b"}]},{"id":"constructor","selected":[]},{"id":"toString","selected":[{"id":"__proto__","value":"c"}]}]}';
			expectOk(await send({ body }));
			const [context] = runs;
			expect(context?.config("__proto__")?.get("a")).toBe("b");
			expect(context?.config("constructor")?.size).toBe(0);
			expect(context?.config("toString")?.get("__proto__")).toBe("c");
			expect(context?.config("hasOwnProperty")).toBeUndefined();
			expect(Object.keys(context?.deal ?? {})).toContain("__proto__");
			expect(({} as { a?: string }).a).toBeUndefined();
			const other = body.replace('{"x":1}', '{"x":2}');
			expectOk(await send({ body: other }));
			expectOk(await send({ body }));
		},
	},
	{
		id: "A27",
		title: "of a repeated key the last counts, for handler and fingerprint",
		async run({ send, runs }) {
			const body =
				'{"deal":{"uuid":"1"},"deal":{"uuid":"2"},"configuration":[]}';
			expectOk(await send({ body }));
			expect(runs[0]?.deal?.uuid).toBe("2");
			expectOk(
				await send({ body: '{"deal":{"uuid":"2"},"configuration":[]}' }),
				DUPLICATE,
			);
		},
	},
	{
		id: "A27 strict",
		title: "rejectDuplicateKeys makes a repeated key 400",
		options: { rejectDuplicateKeys: true },
		async run({ send }) {
			for (const body of [
				'{"deal":{"uuid":"1"},"deal":{"uuid":"2"},"configuration":[]}',
				'{"deal":{"uuid":"1","\\u0075uid":"2"},"configuration":[]}',
				'{"deal":{"uuid":"1"},"configuration":[{"a":1,"b":[{}],"a":2}]}',
			])
				expectRefusal(await send({ body }), "DUPLICATE_KEY");
			expectOk(
				await send({
					body: '{"deal":{"uuid":"d","label":"d"},"configuration":[{"id":"a"},{"id":"a"}]}',
				}),
			);
		},
	},
	{
		id: "D12 bound",
		title: "a token that names its payload works with no other",
		options: { requireBodyBinding: true },
		async run({ send, runs }) {
			const authorization = `Bearer ${tok({ payload_sha256: sha256(BODY) })}`;
			const other = BODY.replace("d1", "d2");
			expectRefusal(
				await send({ authorization, body: other }),
				"PAYLOAD_MISMATCH",
			);
			expectOk(await send({ authorization }));
			expect(runs[0]?.bodyBound).toBe(true);
			expectRefusal(
				await send({ authorization: `Bearer ${GOOD}` }),
				"PAYLOAD_UNBOUND",
			);
		},
	},
];
