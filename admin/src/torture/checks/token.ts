import {
	createHmac,
	generateKeyPairSync,
	type KeyObject,
	sign,
} from "node:crypto";
import { tamper } from "@partnerwire/receiver/testing";
import { type Check, type Level, OK, sends, UNAUTHORIZED } from "../check.ts";
import type { Kit, Parts } from "../kit.ts";

const BAD_TOKEN = "spec, Webhook requests 3: a malformed or badly signed token";
const PIN =
	"Pin the algorithm to HS256 in the verifier's options; never read it from the token.";
const AS_TEXT =
	"The key is the secret's text as UTF-8, exactly as spelled: 36 bytes.";
const LIBRARY =
	"Verify with a library, and answer 401 to whatever it refuses or throws.";

type Row = readonly [
	name: string,
	title: string,
	parts: (kit: Kit) => Parts | Promise<Parts>,
	advice: string,
	source?: string,
	level?: Level,
];

const segments = (
	change: (header: string, payload: string, signature: string) => string,
): Parts => ({
	spoil(token) {
		const [header = "", payload = "", signature = ""] = token.split(".");
		return change(header, payload, signature);
	},
});

const signedBy = (
	alg: string,
	signer: (input: string, kit: Kit) => Buffer,
	kit: Kit,
): Parts =>
	segments((_, payload) => {
		const header = Buffer.from(`{"alg":"${alg}","typ":"JWT"}`);
		const input = `${header.toString("base64url")}.${payload}`;
		return `${input}.${signer(input, kit).toString("base64url")}`;
	});

const hmac =
	(bits: number) =>
	(input: string, { secret }: Kit) =>
		createHmac(`sha${bits}`, secret).update(input).digest();

let strangersKey: KeyObject | undefined;
function signRsa(input: string): Buffer {
	strangersKey ??= generateKeyPairSync("rsa", {
		modulusLength: 2048,
	}).privateKey;
	return sign("sha256", Buffer.from(input), strangersKey);
}

const hexBytes = (text: string) =>
	Uint8Array.from(Buffer.from(text.replaceAll("-", ""), "hex"));

const ROWS: readonly Row[] = [
	["garbage", "not a token at all", () => segments(() => "hello"), LIBRARY],
	[
		"two-segments",
		"a token without its signature",
		() => segments((h, p) => `${h}.${p}`),
		LIBRARY,
	],
	[
		"four-segments",
		"a token with a segment too many",
		() => segments((h, p, s) => `${h}.${p}.${s}.${s}`),
		LIBRARY,
	],
	[
		"empty-signature",
		"an empty signature under HS256",
		() => ({ spoil: tamper.unsigned }),
		LIBRARY,
	],
	[
		"alg-none",
		"alg none without a signature",
		() =>
			segments(
				(_, p) =>
					`${Buffer.from('{"alg":"none"}').toString("base64url")}.${p}.`,
			),
		PIN,
		"RFC 8725 section 3.1",
	],
	[
		"alg-none-signed",
		"alg none over the old signature",
		() => ({ spoil: (token) => tamper.alg(token) }),
		PIN,
		"RFC 8725 section 3.1",
	],
	[
		"alg-none-case",
		"alg nOnE over the old signature",
		() => ({ spoil: (token) => tamper.alg(token, "nOnE") }),
		PIN,
		"RFC 8725 section 3.1",
	],
	[
		"alg-lower-case",
		"alg hs256, signed",
		() => ({ header: { alg: "hs256", typ: "JWT" } }),
		PIN,
		"RFC 7515 section 4.1.1: alg is case-sensitive",
	],
	[
		"alg-hs384",
		"a genuine HS384 token",
		(kit) => signedBy("HS384", hmac(384), kit),
		PIN,
		"spec, Webhook requests 1: signed with HS256",
	],
	[
		"alg-hs512",
		"a genuine HS512 token",
		(kit) => signedBy("HS512", hmac(512), kit),
		PIN,
		"spec, Webhook requests 1: signed with HS256",
	],
	[
		"alg-rs256",
		"an RS256 token of a stranger's key",
		(kit) => signedBy("RS256", signRsa, kit),
		PIN,
		"RFC 8725 section 3.1",
	],
	[
		"crit",
		"a critical header that nobody knows",
		() => ({ header: { alg: "HS256", crit: ["x"], x: 1 } }),
		"Refuse every token with crit, or take a library that does.",
		"RFC 7515 section 4.1.11",
	],
	[
		"jwk-of-its-own",
		"signed with a key that the token brings along",
		() => ({
			secret: "stranger",
			header: {
				alg: "HS256",
				jwk: { kty: "oct", k: "c3RyYW5nZXI" },
				kid: "../../dev/null",
			},
		}),
		"Never take a key from the token: ignore jwk, jku, x5u and kid.",
		"RFC 8725 section 3.5",
	],
	[
		"other-secret",
		"signed with another secret",
		() => ({ secret: "6f1c2b9e-6a51-4d0b-9a53-000000000000" }),
		LIBRARY,
	],
	[
		"empty-secret",
		"signed with a single space",
		() => ({ secret: " " }),
		"Refuse to start without a secret.",
		BAD_TOKEN,
	],
	[
		"upper-case-secret",
		"signed with the secret in upper case",
		({ secret }) => ({
			secret:
				secret === secret.toUpperCase()
					? secret.toLowerCase()
					: secret.toUpperCase(),
		}),
		AS_TEXT,
	],
	[
		"secret-bytes",
		"signed with the bytes that the UUID stands for",
		({ secret }) => ({
			secret: hexBytes(secret).length > 0 ? hexBytes(secret) : "no hex",
		}),
		AS_TEXT,
	],
	[
		"changed-signature",
		"one byte of the signature changed",
		() => ({ spoil: tamper.signature }),
		LIBRARY,
	],
	[
		"short-signature",
		"a signature cut short",
		() => ({ spoil: (token) => token.slice(0, -4) }),
		"Compare whole signatures, with the library's or a constant-time function.",
	],
	[
		"changed-claims",
		"claims changed after signing",
		(kit) => ({
			spoil: (token) =>
				tamper.claims(token, kit.claims("", { event_id: "deal_deleted" })),
		}),
		LIBRARY,
	],
	[
		"payload-array",
		"a payload that is an array",
		() => ({ claims: "[1]" }),
		"The payload must be a JSON object (RFC 7519 section 7.2).",
		"RFC 7519 section 7.2",
	],
	[
		"payload-not-json",
		"a payload that is not JSON",
		() => ({ claims: "hello" }),
		"Answer 401 when the payload cannot be parsed.",
		"RFC 7519 section 7.2",
	],
	[
		"padding",
		"a signature with base64 padding",
		() => ({ spoil: tamper.padded }),
		"base64url in tokens has no padding.",
		"RFC 7515 section 2",
		"should",
	],
	[
		"other-spelling",
		"the same signature in another spelling",
		() => ({ spoil: tamper.nonCanonical }),
		"Refuse set bits after the last byte: one token should have one spelling.",
		"RFC 4648 section 3.5",
		"should",
	],
];

/** Tokens that prove nothing: each must be refused. */
export const TOKEN_CHECKS: readonly Check[] = [
	...ROWS.map(
		([
			name,
			title,
			parts,
			advice,
			source = BAD_TOKEN,
			level = "must",
		]): Check => ({
			id: `token/${name}`,
			title,
			level,
			expected: UNAUTHORIZED,
			source,
			advice,
			run: sends(async (kit) => kit.shot(await parts(kit))),
		}),
	),
	{
		id: "token/more-claims",
		title: "claims and header members that are not known",
		level: "must",
		expected: OK,
		source: "spec, Versioning 2: new fields may be added at any time",
		advice: "Ignore what you do not know; check only what you need.",
		run: sends((kit) =>
			kit.shot({
				claims: { new_claim: { a: 1 } },
				header: { alg: "HS256", typ: "JWT", kid: "1" },
			}),
		),
	},
];
