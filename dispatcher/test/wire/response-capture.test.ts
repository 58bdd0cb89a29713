import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
	maskSecrets,
	spellingsOf,
} from "../../src/http/answers/mask-secrets.ts";
import {
	captureBody,
	captureHeaders,
	KEPT_BODY_BYTES,
} from "../../src/http/answers/response-capture.ts";
import { createSigner } from "../../src/index.ts";

const KEPT_VALUE_LENGTH = 1024;

const asJson = (secret: string) => JSON.stringify(secret).slice(1, -1);
const asAscii = (json: string) =>
	json.replace(
		/[\u007f-\uffff]/g,
		(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
	);
const SPELLINGS: Record<string, (secret: string) => string> = {
	plain: (secret) => secret,
	JSON: asJson,
	"JSON of PHP": (secret) => asAscii(asJson(secret).replaceAll("/", "\\/")),
	"JSON of PHP, not escaped": (secret) => asJson(secret).replaceAll("/", "\\/"),
	"JSON of Python": (secret) => asAscii(asJson(secret)),
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

/** A secret without dots, in one of its spellings, and the number of characters by which it begins before the limit. */
const echo = fc.record({
	secret: fc
		.constantFrom("grapheme-ascii" as const, "grapheme" as const)
		.chain((unit) =>
			fc.string({ unit, minLength: 4, maxLength: 200, size: "max" }),
		)
		.filter((text) => !text.includes(".")),
	begins: fc.integer({ min: 0, max: 400 }),
	spelling: fc.constantFrom(...Object.keys(SPELLINGS)),
	after: fc.integer({ min: 0, max: 400 }),
});
type Echo = typeof echo extends fc.Arbitrary<infer Value> ? Value : never;

function toText({ secret, begins, spelling, after }: Echo, limit: number) {
	const echoed = (SPELLINGS[spelling] as (secret: string) => string)(secret);
	const text = ".".repeat(limit - begins) + echoed + ".".repeat(after);
	return { told: echoed, text };
}

/** Only dots and the mask are left, whether the secret was whole or cut. */
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

test("a header that echoes the bytes of a secret, which HTTP tells as Latin-1, keeps none of them", () => {
	const secret = "pässwört für 工事";
	const echoed = Buffer.from(secret).toString("latin1");
	expect(captureHeaders({ one: echoed }, spellingsOf([secret]))).toEqual({
		one: "***",
	});
});

describe("secrets that hold, overlap or repeat each other, and the mask", () => {
	const text = fc.string({ unit: fc.constantFrom(..."ab*."), maxLength: 40 });
	const secrets = fc.array(
		fc.string({
			unit: fc.constantFrom(..."ab*"),
			minLength: 1,
			maxLength: 6,
		}),
		{ maxLength: 5 },
	);

	/** The rule in its simplest form: compares each secret at each place. */
	function maskSlowly(text: string, secrets: string[], isCut: boolean) {
		const isSecret = Array.from(text, () => false);
		const hide = (from: number, to: number) => isSecret.fill(true, from, to);
		for (const secret of secrets) {
			for (let at = 0; at < text.length; at++)
				if (text.startsWith(secret, at)) hide(at, at + secret.length);
			for (let begun = 1; isCut && begun < secret.length; begun++)
				if (text.endsWith(secret.slice(0, begun)))
					hide(text.length - begun, text.length);
		}
		return Array.from(text, (sign, at) => (isSecret[at] ? "\0" : sign))
			.join("")
			.replace(/\0+/g, "***");
	}

	test.each([
		["whole", false],
		["cut off", true],
	])(
		"in a text that is %s: all that is theirs is masked, and nothing else",
		(_, isCut) => {
			fc.assert(
				fc.property(text, secrets, (text, secrets) => {
					expect(maskSecrets(text, secrets, isCut)).toBe(
						maskSlowly(text, secrets, isCut),
					);
				}),
				{ numRuns: 2000 },
			);
		},
	);

	test("a token among them is none of theirs", () => {
		const token = "eyJhbGciOiJI.eyJqdGkiOiIx.c2lnbmF0dXJl";
		const secrets = spellingsOf([`${token}!!`, "c2ln", "token", "*"]);
		for (const [body, kept] of [
			[`<${token}>`, "<[token]>"],
			[`<${token}!!>`, "<[token]>"],
			["<token>", "<***>"],
			["<*>", "<***>"],
		])
			expect(captureBody([Buffer.from(String(body))], secrets)).toBe(kept);
	});

	test("as many as an integration may have, each as long, cost the answer no more than its length", () => {
		const settings = Array.from({ length: 100 }, (_, n) =>
			"*".repeat(n % 2 ? 1 : 4096 - n),
		);
		const body = Buffer.from("*".repeat(64 * 1024));
		const spellings = spellingsOf(settings);
		expect(captureBody([body], spellings)).toBe("***");
		const value = "*.".repeat(4000);
		const { one } = captureHeaders({ one: value }, spellings);
		expect(one).toHaveLength(512 * 4);
	});
});

describe("parts of the token that was sent", () => {
	const sign = createSigner("6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11");
	const tokenOf = (api_key: string) =>
		sign({
			company_uuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
			user_uuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
			event_id: "lead_created",
			iat: 1795817000,
			exp: 1795820600,
			api_key,
		});

	test.each([0, 1, 2])("segment %i alone is masked", (index) => {
		const token = tokenOf("key-of-the-crm");
		const segment = String(token.split(".")[index]);
		const body = Buffer.from(`{"jwt":"${segment}"}`);
		expect(captureBody([body], [], token)).toBe('{"jwt":"[token]"}');
		expect(captureHeaders({ one: segment }, [], token)).toEqual({
			one: "[token]",
		});
	});

	test("wherever a part begins and ends, and whatever is around it, no 16 characters in a row are kept", () => {
		const around = fc.string({
			unit: fc.constantFrom(..."aYWFh_-. eyJ"),
			maxLength: 60,
		});
		fc.assert(
			fc.property(
				fc.oneof(fc.string(), around),
				fc.array(fc.tuple(around, fc.nat(400), fc.nat(400)), { maxLength: 4 }),
				(key, parts) => {
					const token = tokenOf(key);
					const text = parts
						.map(
							([before, from, length]) =>
								before + token.slice(from, from + length),
						)
						.join("");
					const kept = captureBody([Buffer.from(text)], [], token);
					for (const run of kept.replaceAll("[token]", " ").split(/[^\w-]+/))
						for (let at = 0; at + 16 <= run.length; at++)
							expect(token).not.toContain(run.slice(at, at + 16));
				},
			),
			{ numRuns: 500 },
		);
	});

	test("a token of one character takes no longer for it, and other ids are kept", () => {
		const token = "y".repeat(400_000);
		const kept = captureBody([Buffer.from("y".repeat(4000))], [], token);
		expect(kept).toBe("[token]");
		const id = Buffer.from('{"id":"01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01"}');
		expect(captureBody([id], [], tokenOf("x"))).toBe(id.toString());
	});
});

test("an answer that echoes nothing is kept as it is", () => {
	const body = Buffer.from('{"ok":true,"api_key":"another"}');
	expect(captureBody([body], spellingsOf(["mine"]))).toBe(body.toString());
	expect(captureBody([], spellingsOf(["mine"]))).toBe("");
});
