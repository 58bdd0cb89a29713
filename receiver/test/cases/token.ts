import { createHmac, generateKeyPairSync, sign as signRsa } from "node:crypto";
import { tamper } from "@partnerwire/receiver/testing";
import { expect } from "vitest";
import {
	claims,
	GOOD,
	OTHER_SECRET,
	SECRET,
	segment,
	sign,
	tok,
} from "#kit/endpoints/tokens.ts";
import { type Case, DUPLICATE, expectOk, expectRefusal } from "./case.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const [H = "", P = "", S = ""] = GOOD.split(".");

function rsaToken(): string {
	const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
	const input = `${segment('{"alg":"RS256","typ":"JWT"}')}.${P}`;
	const signature = signRsa("sha256", Buffer.from(input), privateKey);
	return `${input}.${signature.toString("base64url")}`;
}

function hmacToken(bits: 384 | 512): string {
	const input = `${segment(`{"alg":"HS${bits}"}`)}.${P}`;
	return `${input}.${createHmac(`sha${bits}`, SECRET).update(input).digest("base64url")}`;
}

const FOREIGN = [rsaToken(), hmacToken(384), hmacToken(512)];

/** Cases C: the token's form and signature. */
export const TOKEN_CASES: readonly Case[] = [
	{
		id: "C01",
		title: "no alg but the exact HS256",
		async run({ send }) {
			for (const alg of ["none", "None", "nOnE", "hs256", ["HS256"], null, 1]) {
				expectRefusal(await send(bearer(tok({}, { alg }))), "ALG_UNSUPPORTED");
				expectRefusal(
					await send(bearer(tamper.alg(GOOD, alg))),
					"ALG_UNSUPPORTED",
				);
			}
			expectRefusal(
				await send(bearer(tok({}, { typ: "JWT" }))),
				"ALG_UNSUPPORTED",
			);
			for (const header of ["[]", "null", '"HS256"', "{", "{}x"])
				expectRefusal(await send(bearer(tok({}, header))), "TOKEN_MALFORMED");
		},
	},
	{
		id: "C02",
		title: "genuine tokens of other algorithms",
		async run({ send }) {
			for (const token of FOREIGN)
				expectRefusal(await send(bearer(token)), "ALG_UNSUPPORTED");
		},
	},
	{
		id: "C03",
		title: "no signature under HS256",
		async run({ send }) {
			for (const token of [`${H}.${P}.`, `${H}.${P}`, `${H}..${S}`])
				expectRefusal(await send(bearer(token)), "TOKEN_MALFORMED");
		},
	},
	{
		id: "C04",
		title: "crit in any form",
		async run({ send }) {
			for (const more of [
				{ crit: ["x"], x: 1 },
				{ crit: [] },
				{ crit: ["b64"], b64: true },
				{ crit: ["b64"], b64: false },
				{ crit: null },
			])
				expectRefusal(
					await send(bearer(tok({}, { alg: "HS256", ...more }))),
					"CRIT_UNSUPPORTED",
				);
		},
	},
	{
		id: "C06",
		title: "exactly three segments, none empty",
		async run({ send }) {
			for (const token of [
				H,
				`${H}.${P}`,
				`${GOOD}.${S}`,
				`${GOOD}.`,
				`.${GOOD}`,
				`${GOOD}.${S}.${S}`,
				"..",
				"...",
			])
				expectRefusal(await send(bearer(token)), "TOKEN_MALFORMED");
		},
	},
	{
		id: "C07",
		title: "padding, also when it was signed",
		async run({ send }) {
			expectRefusal(await send(bearer(`${GOOD}=`)), "TOKEN_MALFORMED");
			const payload = Buffer.from(
				`${JSON.stringify(claims())} `.padEnd(200),
			).toString("base64");
			const input = `${H}.${payload.replace(/=*$/, "=")}`;
			expectRefusal(
				await send(bearer(`${input}.${sign(input)}`)),
				"TOKEN_MALFORMED",
			);
		},
	},
	{
		id: "C08",
		title: "the standard base64 alphabet",
		async run({ send }) {
			const payload = segment(JSON.stringify(claims({ x: "ÿþ>?ÿþ>?ÿ>?>" })));
			expect(payload).toMatch(/[-_]/);
			const standard = payload.replaceAll("-", "+").replaceAll("_", "/");
			const input = `${H}.${standard}`;
			expectRefusal(
				await send(bearer(`${input}.${sign(input)}`)),
				"TOKEN_MALFORMED",
			);
		},
	},
	{
		id: "C10",
		title: "a non-canonical last character",
		async run({ send, runs }) {
			expectRefusal(
				await send(bearer(tamper.nonCanonical(GOOD))),
				"TOKEN_MALFORMED",
			);
			const payload = segment(JSON.stringify(claims({ x: "" })));
			for (const spoiled of [`${payload}A`, payload.replace(/.$/, "B")]) {
				const input = `${H}.${spoiled}`;
				const { status } = await send(bearer(`${input}.${sign(input)}`));
				expect(status).toBe(401);
			}
			expect(runs.length).toBe(0);
		},
	},
	{
		id: "C11",
		title: "signatures of a wrong length",
		async run({ send }) {
			for (const length of [1, 31, 33, 64]) {
				const signature = segment(new Uint8Array(length));
				expectRefusal(
					await send(bearer(`${H}.${P}.${signature}`)),
					"SIGNATURE_INVALID",
				);
			}
			const hex = Buffer.from(S, "base64url").toString("hex");
			expectRefusal(
				await send(bearer(`${H}.${P}.${hex}`)),
				"SIGNATURE_INVALID",
			);
			expectRefusal(
				await send(bearer(`${H}.${P}.${"é".repeat(43)}`)),
				"TOKEN_MALFORMED",
			);
			expectRefusal(
				await send(bearer(tamper.truncated(GOOD))),
				"TOKEN_MALFORMED",
			);
			expectRefusal(
				await send(bearer(tamper.signature(GOOD))),
				"SIGNATURE_INVALID",
			);
		},
	},
	{
		id: "C13",
		title: "a payload that is no JSON object",
		async run({ send }) {
			for (const payload of [
				"[1]",
				'"x"',
				"null",
				"1",
				"hello",
				"{",
				"\ufeff{}",
			])
				expectRefusal(await send(bearer(tok(payload))), "CLAIMS_NOT_OBJECT");
			const bytes = `${H}.${segment(Buffer.from([0x7b, 0xff, 0x7d]))}`;
			expectRefusal(
				await send(bearer(`${bytes}.${sign(bytes)}`)),
				"CLAIMS_NOT_OBJECT",
			);
			const empty = `${H}.`;
			expectRefusal(
				await send(bearer(`${empty}.${sign(empty)}`)),
				"TOKEN_MALFORMED",
			);
		},
	},
	{
		id: "C13 claims",
		title:
			"required claims are there and are text; optional ones have their type",
		async run({ send }) {
			for (const name of ["company_uuid", "user_uuid", "event_id"]) {
				for (const value of [undefined, null, ""])
					expectRefusal(
						await send(bearer(tok({ [name]: value }))),
						"CLAIM_MISSING",
					);
				for (const value of [1, {}, []])
					expectRefusal(
						await send(bearer(tok({ [name]: value }))),
						"CLAIM_INVALID",
					);
			}
			for (const more of [
				{ jti: 1 },
				{ sequence: "1" },
				{ sequence: 1.5 },
				{ payload_sha256: 1 },
				{ api_key: 1 },
				{ external_settings: [] },
			])
				expectRefusal(await send(bearer(tok(more))), "CLAIM_INVALID");
			const nothing = { jti: null, api_key: null, external_settings: null };
			expectOk(await send(bearer(tok(nothing))));
		},
	},
	{
		id: "C16",
		title: "kid, jwk, jku, x5u and typ are ignored",
		async run({ send }) {
			const headers = [
				{ kid: "../../etc/passwd", jku: "https://evil.example/jwks" },
				{ jwk: { kty: "oct", k: "AAAA" }, x5u: "https://evil.example" },
				{ typ: "jwt" },
				{ typ: "at+jwt" },
				{ typ: 1 },
			];
			expectOk(await send(bearer(tok({}, { alg: "HS256" }))));
			for (const more of headers)
				expectOk(
					await send(bearer(tok({}, { alg: "HS256", ...more }))),
					DUPLICATE,
				);
			const jwk = { kty: "oct", k: segment(OTHER_SECRET) };
			expectRefusal(
				await send(bearer(tok({}, { alg: "HS256", jwk }, OTHER_SECRET))),
				"SIGNATURE_INVALID",
			);
		},
	},
];
