import fc from "fast-check";
import { expect, test } from "vitest";
import {
	captureBody,
	captureHeaders,
	KEPT_BODY_BYTES,
	spellingsOf,
} from "../src/response-capture.ts";

const KEPT_VALUE_LENGTH = 1024;

const asJson = (secret: string) => JSON.stringify(secret).slice(1, -1);
const SPELLINGS: Record<string, (secret: string) => string> = {
	plain: (secret) => secret,
	JSON: asJson,
	"JSON of PHP": (secret) => asJson(secret).replaceAll("/", "\\/"),
	form: (secret) => `${new URLSearchParams({ "": secret })}`.slice(1),
	URL: (secret) => encodeURIComponent(Buffer.from(secret).toString()),
	page: (secret) =>
		secret
			.replaceAll("&", "&amp;")
			.replaceAll("<", "&lt;")
			.replaceAll(">", "&gt;")
			.replaceAll('"', "&quot;")
			.replaceAll("'", "&#39;"),
};

/** A secret without dots, and how many characters before the limit it begins, in one of its spellings. */
const echo = fc.record({
	secret: fc
		.string({ minLength: 4, maxLength: 200, size: "max" })
		.filter((text) => !text.includes(".")),
	begins: fc.integer({ min: 0, max: 400 }),
	spelling: fc.constantFrom(...Object.keys(SPELLINGS)),
	after: fc.integer({ min: 0, max: 400 }),
});
type Echo = typeof echo extends fc.Arbitrary<infer Value> ? Value : never;

function toText({ secret, begins, spelling, after }: Echo, limit: number) {
	const told = (SPELLINGS[spelling] as (secret: string) => string)(secret);
	const text = ".".repeat(limit - begins) + told + ".".repeat(after);
	return { told, text };
}

/** Nothing but dots and the mask is left, whether the secret was whole or cut in two. */
const expectNothingOf = (kept: string | undefined) =>
	expect(kept).toMatch(/^\.*(\*\*\*)?\.*$/);

test("a body that echoes a secret keeps none of it, wherever it is cut off", () => {
	fc.assert(
		fc.property(echo, fc.nat({ max: 5000 }), (given, cut) => {
			const { text } = toText(given, KEPT_BODY_BYTES);
			const body = Buffer.from(text);
			const chunks = [body.subarray(0, cut), body.subarray(cut)];
			expectNothingOf(captureBody(chunks, spellingsOf([given.secret])));
		}),
	);
});

test("headers that echo a secret keep none of it either", () => {
	fc.assert(
		fc.property(echo, (given) => {
			const { text } = toText(given, KEPT_VALUE_LENGTH);
			const { one, many } = captureHeaders(
				{ one: text, many: [text, text] },
				spellingsOf([given.secret]),
			);
			for (const kept of [one, ...(many as string[])])
				expectNothingOf(kept as string);
		}),
	);
});

test("an answer that echoes nothing is kept as it is", () => {
	const body = Buffer.from('{"ok":true,"api_key":"another"}');
	expect(captureBody([body], spellingsOf(["mine"]))).toBe(body.toString());
	expect(captureBody([], spellingsOf(["mine"]))).toBe("");
});
