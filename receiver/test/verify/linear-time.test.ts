import { createReceiver } from "@partnerwire/receiver";
import { toLambda } from "@partnerwire/receiver/lambda";
import { expect, test } from "vitest";
import { NOW_MS, SECRET, sign, tok } from "#kit/endpoints/tokens.ts";
import { growthOf, MOST_GROWTH } from "#kit/growth.ts";
import { canonicalise } from "../../src/body/canonical.ts";
import { hasDuplicateKey } from "../../src/body/json-body.ts";

/** Repeats the unit up to about this many bytes. */
const fill = (unit: string, bytes: number): string =>
	unit.repeat(Math.ceil(bytes / unit.length));
const list = (bytes: number, each: (index: number) => string): string => {
	const parts: string[] = [];
	for (let length = 0; length < bytes; ) {
		const part = each(parts.length);
		length += part.length + 1;
		parts.push(part);
	}
	return parts.join(",");
};
/** A body whose deal has this value, and a number that no double can hold, so that all numbers keep their digits. */
const withValue = (value: string): string =>
	`{"deal":{"uuid":"u","label":"l","value":${value},"exact":9007199254740993},"configuration":[]}`;
const text = (content: string): string => withValue(`"${content}"`);

/** Valid JSON, or nearly. */
const BODIES: Record<string, (bytes: number) => string> = {
	"zeros inside a number": (n) => withValue(`1${fill("0", n)}1`),
	"zeros in groups": (n) => withValue(`${fill("100000000000000", n)}1`),
	"zeros at a number's end": (n) => withValue(`1${fill("0", n)}`),
	"zeros after a point": (n) => withValue(`0.${fill("0", n)}1`),
	"zeros at a fraction's end": (n) => withValue(`0.1${fill("0", n)}`),
	digits: (n) => withValue(fill("1234567890", n)),
	"digits of an exponent": (n) => withValue(`1e${fill("9", n)}`),
	"digits of a negative exponent": (n) => withValue(`-1.5E-${fill("7", n)}`),
	"zeros of an exponent": (n) => withValue(`1e${fill("0", n)}5`),
	"many exponents": (n) => withValue(`[${list(n, (i) => `1e${i}`)}]`),
	"many long exponents": (n) =>
		withValue(`[${list(n, () => `1e${"9".repeat(290)}`)}]`),
	"many long numbers": (n) =>
		withValue(`[${list(n, (i) => `${i}0000000000000000000000001`)}]`),
	"arrays in a row": (n) => withValue(`[${list(n, () => "[]")}]`),
	"nested arrays": (n) => withValue(fill("[", n / 2) + fill("]", n / 2)),
	"nested arrays without an end": (n) => withValue(fill("[", n)),
	"nested objects": (n) =>
		withValue(`${fill('{"a":', n * 0.8)}1${fill("}", n * 0.2)}`),
	"nested up to the limit": (n) =>
		withValue(`[${list(n, () => "[".repeat(100) + "]".repeat(100))}]`),
	"many keys": (n) => withValue(`{${list(n, (i) => `"k${i}":1`)}}`),
	"keys that are numbers": (n) => withValue(`{${list(n, (i) => `"${i}":1`)}}`),
	"keys in falling order": (n) =>
		withValue(`{${list(n, (i) => `"${9_999_999 - i}x":1`)}}`),
	"keys with one beginning": (n) =>
		withValue(`{${list(n, (i) => `"${"p".repeat(500)}${i}":1`)}}`),
	"one key again and again": (n) => withValue(`{${list(n, () => '"a":1')}}`),
	"keys of escapes": (n) =>
		withValue(`{${list(n, (i) => `"\\u006b\\u0000${i}":1`)}}`),
	"a long key": (n) => withValue(`{"${fill("k", n)}":1}`),
	"many members beside the entity": (n) =>
		`{"deal":{"uuid":"u"},${list(n, (i) => `"m${i}":{}`)}}`,
	"configuration entries that are none": (n) =>
		`{"deal":{"uuid":"u"},"configuration":[${list(n, () => "0")}]}`,
	"configuration entries": (n) =>
		`{"deal":{"uuid":"u"},"configuration":[${list(n, (i) => `{"id":"${i}","selected":[]}`)}]}`,
	"escaped letters": (n) => text(fill("\\u0041", n)),
	"escaped NULs": (n) => text(fill("\\u0000", n)),
	"NUL marks": (n) => withValue(`[${list(n, () => '"\\u0000#1"')}]`),
	"escaped backslashes": (n) => text(fill("\\\\", n)),
	"escaped quotes": (n) => text(fill('\\"', n)),
	"escaped lone surrogates": (n) => text(fill("\\ud800", n)),
	"escaped surrogates the wrong way round": (n) =>
		text(fill("\\udc00\\ud800", n)),
	"pairs of surrogates": (n) => text(fill("\u{1f600}", n / 4)),
	"one lone surrogate after many pairs": (n) =>
		text(`${fill("\u{1f600}", n / 4)}\\ud800`),
	"a string that looks like numbers": (n) =>
		text(fill(":1234567890123456e", n)),
	"white space": (n) => withValue(`${fill(" \n\t\r", n)}1`),
	"white space at the end": (n) => withValue("1") + fill(" ", n),
	"white space and nothing else": (n) => fill(" ", n),
	quotes: (n) => withValue(fill('"', n)),
	backslashes: (n) => withValue(`"${fill("\\", n)}`),
	"a string without an end": (n) => withValue(`"${fill("a", n)}`),
	"empty strings": (n) => withValue(`[${list(n, () => '""')}]`),
	"minus signs": (n) => withValue(fill("-", n)),
	dots: (n) => withValue(fill(".", n)),
	"byte order marks": (n) => fill("\ufeff", n / 3),
};

const newReceiver = (more: object = {}) =>
	createReceiver({
		secret: SECRET,
		clock: () => NOW_MS,
		log: () => {},
		maxBodyBytes: 1024 * 1024 + 1024,
		dedup: false,
		...more,
	}).on("*", ({ config }) => void config("none"));

const send =
	(
		receiver: ReturnType<typeof newReceiver>,
		headers: Record<string, string>,
		body: string,
	) =>
	async () => {
		const request = new Request("http://127.0.0.1/hook", {
			method: "POST",
			headers: {
				authorization: `Bearer ${tok()}`,
				"content-type": "application/json",
				...headers,
			},
			body,
		});
		const { status } = await receiver.fetch(request);
		// It must be refused, not cause a 500.
		expect(status).toBeLessThan(500);
	};

test.each(Object.entries(BODIES))(
	"the time for a byte of a body does not grow: %s",
	async (_, bodyOf) => {
		const receiver = newReceiver({ rejectDuplicateKeys: true });
		const growth = await growthOf((bytes) => send(receiver, {}, bodyOf(bytes)));
		expect(growth).toBeLessThan(MOST_GROWTH);
	},
);

test.each(Object.entries(BODIES))(
	"nor does it where only the parser's object is left: %s",
	async (_, bodyOf) => {
		const growth = await growthOf((bytes) => {
			const body = bodyOf(bytes);
			let value: unknown;
			try {
				value = JSON.parse(body);
			} catch {
				return () => hasDuplicateKey(body);
			}
			return () => {
				try {
					canonicalise(value);
				} catch {
					// Too deep.
				}
			};
		});
		expect(growth).toBeLessThan(MOST_GROWTH);
	},
);

const HEADERS: Record<string, (bytes: number) => Record<string, string>> = {
	"a token of dots": (n) => ({ authorization: `Bearer ${fill(".", n)}` }),
	"a token of segments": (n) => ({
		authorization: `Bearer ${fill("eyJ.", n)}`,
	}),
	"a token of one segment": (n) => ({
		authorization: `Bearer ${fill("eyJ", n)}`,
	}),
	"a token with a long payload": (n) => ({
		authorization: `Bearer ${tok({ padding: fill("a", (n * 3) / 4) })}`,
	}),
	"a token with a long signature": (n) => ({
		authorization: `Bearer ${tok()}${fill("A", n)}`,
	}),
	"a token with a long header": (n) => ({
		authorization: `Bearer ${tok({}, { alg: "HS256", kid: fill("k", (n * 3) / 4) })}`,
	}),
	"claims that are long numbers": (n) => {
		const input = tok(`{"iat":1${fill("0", (n * 3) / 4)}1}`)
			.split(".")
			.slice(0, 2)
			.join(".");
		return { authorization: `Bearer ${input}.${sign(input)}` };
	},
	"many values of external_settings": (n) => ({
		authorization: `Bearer ${tok({ external_settings: { authorisation: Array.from({ length: n / 30 }, (_, index) => ({ id: `i${index}`, value: "v" })) } })}`,
	}),
	"spaces after the scheme": (n) => ({
		authorization: `Bearer${fill(" ", n)}x`,
	}),
	"tabs after the scheme": (n) => ({
		authorization: `Bearer ${fill("\t", n)}.`,
	}),
	"spaces inside": (n) => ({ authorization: `Bearer a${fill(" ", n)}b` }),
	"the scheme again and again": (n) => ({ authorization: fill("Bearer ", n) }),
	commas: (n) => ({ authorization: `Bearer x${fill(",", n)}` }),
	"many different values": (n) => ({
		authorization: list(n, (index) => `Bearer ${index}`),
	}),
	"one value again and again": (n) => ({
		authorization: list(n, () => `Bearer ${tok()}`),
	}),
	"a content type of spaces": (n) => ({
		"content-type": `application/json${fill(" ", n)};`,
	}),
	"a content type of semicolons": (n) => ({ "content-type": fill(";", n) }),
	"a content type of semicolons and spaces": (n) => ({
		"content-type": `a/b${fill("; ", n)}`,
	}),
	"a content type of charsets": (n) => ({
		"content-type": `a/b${fill(";charset", n)}`,
	}),
	"a content type of utf-8 charsets": (n) => ({
		"content-type": `a/b${fill(";charset=utf-8", n)}`,
	}),
	"a charset and spaces": (n) => ({
		"content-type": `a/b;charset${fill(" ", n)}x`,
	}),
	"a charset of quotes": (n) => ({
		"content-type": `a/b;charset=${fill('"', n)}`,
	}),
	"a content encoding of spaces": (n) => ({
		"content-encoding": `gzip${fill(" ", n)},`,
	}),
	"a content encoding of codings": (n) => ({
		"content-encoding": list(n, () => "gzip"),
	}),
	"a cookie": (n) => ({ cookie: fill("a=b; ", n) }),
	"an Accept header": (n) => ({ accept: list(n, () => "*/*;q=0.1") }),
};

test.each(Object.entries(HEADERS))(
	"the time for a byte of a header does not grow: %s",
	async (_, headersOf) => {
		for (const explain of [false, true]) {
			const receiver = newReceiver({ explain });
			const growth = await growthOf((bytes) =>
				send(receiver, headersOf(bytes), '{"deal":{"uuid":"u"}}'),
			);
			expect(growth, `explain: ${explain}`).toBeLessThan(MOST_GROWTH);
		}
	},
);

test("many headers of a Lambda event cost no more for each", async () => {
	const handler = toLambda(newReceiver());
	for (const nameOf of [() => "authorization", (index: number) => `x-${index}`])
		expect(
			await growthOf((bytes) => {
				const values = Array.from({ length: bytes / 20 }, (_, index) => [
					nameOf(index),
					`Bearer ${index}`,
				]);
				const event = {
					httpMethod: "POST",
					headers: Object.fromEntries(values),
					multiValueHeaders: {
						authorization: values.map(([, value]) => value as string),
					},
					body: "{}",
				};
				return () => handler(event);
			}),
		).toBeLessThan(MOST_GROWTH);
});
