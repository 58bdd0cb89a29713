import { ADVICE } from "../common/advice.ts";
import type { Bytes } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";
import { fromBase64url } from "./base64url.ts";
import type { PlatformCrypto } from "./platform-crypto.ts";
import { parseSecrets } from "./secrets.ts";
import { parseSegment } from "./token.ts";
import type { VerifyOptions } from "./verify.ts";

/** A Unix time of this many seconds would be in the year 5138. It is more likely in milliseconds. */
const MILLISECONDS_FROM = 1e11;

function fromHex(text: string): Bytes | undefined {
	const digits = text.replaceAll("-", "");
	if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) return undefined;
	return Uint8Array.from(digits.match(/../g) ?? [], (pair) =>
		Number.parseInt(pair, 16),
	);
}

function fromBase64(text: string): Bytes | undefined {
	try {
		return fromBase64url(text);
	} catch {
		return undefined;
	}
}

/** The usual mistakes with a secret, each as a change to the configured one. */
function listVariants(
	secret: string,
): [what: string, variant: string | Bytes | undefined][] {
	return [
		["in lower case", secret.toLowerCase()],
		["in upper case", secret.toUpperCase()],
		["with a newline at its end", `${secret}\n`],
		["with CR and newline at its end", `${secret}\r\n`],
		["without its dashes", secret.replaceAll("-", "")],
		["in braces", `{${secret}}`],
		["in quotes", `"${secret}"`],
		["decoded from hexadecimal", fromHex(secret)],
		["decoded from base64", fromBase64(secret)],
	];
}

async function explainSignature(
	token: string,
	secrets: readonly string[],
	platform: PlatformCrypto,
): Promise<string> {
	for (const secret of secrets)
		for (const [what, variant] of listVariants(secret)) {
			if (!variant || variant === secret || variant.length === 0) continue;
			const key = await platform.createKey(variant);
			if ((await platform.matchKey(token, [key])) === 0)
				return `The signature is right with the secret ${what}. A secret is used exactly as spelled.`;
		}
	return "It matches neither the secret nor a usual misspelling of it.";
}

async function findSecrets(
	{ secret }: VerifyOptions,
	claims: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
	if (typeof secret !== "function") return parseSecrets(secret);
	const found = await secret(claims);
	const list = typeof found === "string" ? [found] : (found ?? []);
	return list.filter((each) => typeof each === "string");
}

const isMilliseconds = (value: unknown): boolean =>
	typeof value === "number" && value > MILLISECONDS_FROM;

function explainTimes(
	reason: Reason,
	claims: Record<string, unknown>,
	nowS: number,
): string | undefined {
	if (isMilliseconds(claims.exp) || isMilliseconds(claims.iat))
		return "exp or iat looks like milliseconds: they are Unix seconds.";
	const { exp, iat, nbf } = claims;
	if (reason === "TOKEN_EXPIRED")
		return `It expired ${Math.floor(nowS - Number(exp))} s ago. ${ADVICE[reason]}`;
	const ahead: Partial<Record<Reason, number>> = {
		IAT_FUTURE: Number(iat) - nowS,
		TOKEN_NOT_YET_VALID: Number(nbf) - nowS,
	};
	const seconds = ahead[reason];
	return seconds === undefined
		? undefined
		: `It is ${Math.ceil(seconds)} s ahead of this clock. ${ADVICE[reason]}`;
}

/** See `explain`. */
export type Explain = (
	reason: Reason,
	options: VerifyOptions & { explain: unknown },
	token: string | undefined,
	platform: PlatformCrypto,
) => Promise<string | undefined>;

/** Finds the mistake from the token. Misspelt secrets are tried only with the option `explain`. */
const diagnose = async (
	...[reason, options, token, platform]: Parameters<Explain>
): Promise<string | undefined> => {
	if (reason === "TOKEN_MISSING" && options.explain)
		return "No Authorization header reached us. Apache (CGI), CloudFront and ngrok may strip it: see tokenHeader.";
	if (token === undefined || reason === "TOKEN_TOO_LONG") return undefined;
	const claims = parseSegment(token.split(".")[1] ?? "", platform);
	if (!claims) return undefined;
	try {
		if (reason === "SIGNATURE_INVALID")
			return options.explain
				? await explainSignature(
						token,
						await findSecrets(options, claims),
						platform,
					)
				: undefined;
	} catch {
		// A lookup that fails was reported when the token was verified.
		return undefined;
	}
	return explainTimes(reason, claims, (options.clock?.() ?? Date.now()) / 1000);
};

/** Says in a sentence why a request was refused or what to do, without token and secret. It does not change the verdict. */
export const explain: Explain = async (reason, options, token, platform) =>
	(await diagnose(reason, options, token, platform)) ?? ADVICE[reason];
