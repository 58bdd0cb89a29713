import { createHash } from "node:crypto";
import type { WebhookClaims } from "@partnerwire/wire";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createSigner, hashBody, signToken } from "../src/index.ts";

const text = fc.string({ unit: "binary" });
const time = fc.integer({ min: 0, max: 2 ** 40 });
const claims: fc.Arbitrary<WebhookClaims> = fc.record(
	{
		company_uuid: text,
		user_uuid: text,
		event_id: text,
		iat: time,
		exp: time,
		api_key: text,
		external_settings: fc.record({
			authorisation: fc.array(fc.record({ id: text, value: text })),
		}),
		jti: text,
		payload_sha256: text,
		sequence: fc.nat(),
	},
	{ requiredKeys: ["company_uuid", "user_uuid", "event_id", "iat", "exp"] },
);
const secret = fc.oneof(
	fc.uuid(),
	text.filter((value) => value.trim() !== ""),
);

it("makes the same tokens as contract's signToken", async () => {
	const property = fc.asyncProperty(claims, secret, async (c, s) => {
		expect(createSigner(s)(c)).toBe(await signToken(c, s));
	});
	await fc.assert(property, { numRuns: 500 });
});

it("can be used many times, and leaves out undefined claims as signToken does", async () => {
	const sign = createSigner("6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11");
	const one = {
		company_uuid: "c",
		user_uuid: "u",
		event_id: "lead_created",
		iat: 1,
		exp: 2,
		jti: undefined,
	};
	const expected = await signToken(one, "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11");
	expect(sign(one)).toBe(expected);
	expect(sign({ ...one, exp: 3 })).not.toBe(expected);
	expect(sign(one)).toBe(expected);
});

it.each(["", "  ", "\n"])("refuses the blank secret %j", (blank) => {
	expect(() => createSigner(blank)).toThrow("the signing secret is empty");
});

it("hashes bodies by SHA-256 in base64url", () => {
	fc.assert(
		fc.property(fc.uint8Array(), (bytes) => {
			const expected = createHash("sha256").update(bytes).digest("base64url");
			expect(hashBody(bytes)).toBe(expected);
		}),
	);
});
