import type { CryptoPort } from "./crypto-port.ts";
import type { Reason } from "./reasons.ts";
import { parseSecrets } from "./secrets.ts";
import { parseSegment } from "./token.ts";
import type { VerifyOptions } from "./verify.ts";

const encoder = new TextEncoder();

/** Beyond this many seconds a Unix time is the year 5138: more likely milliseconds. */
const MILLISECONDS_FROM = 1e11;

function fromHex(text: string): Uint8Array<ArrayBuffer> | undefined {
	const digits = text.replaceAll("-", "");
	if (!/^(?:[0-9a-f]{2})+$/i.test(digits)) return undefined;
	return Uint8Array.from(digits.match(/../g) ?? [], (pair) =>
		Number.parseInt(pair, 16),
	);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
	try {
		const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
		return Uint8Array.from(binary, (char) => char.charCodeAt(0));
	} catch {
		return undefined;
	}
}

/** The mistakes that people make with a secret, each as a change to the configured one (cases E03, E04). */
function listVariants(
	secret: string,
): [what: string, variant: string | Uint8Array<ArrayBuffer> | undefined][] {
	const bare = secret.replaceAll("-", "");
	const dashed = bare.replace(
		/^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
		"$1-$2-$3-$4-$5",
	);
	return [
		["in lower case", secret.toLowerCase()],
		["in upper case", secret.toUpperCase()],
		["with a newline at its end", `${secret}\n`],
		["with a carriage return and newline at its end", `${secret}\r\n`],
		["with a space at its end", `${secret} `],
		["without its dashes", bare],
		["with dashes", dashed],
		["in braces", `{${secret}}`],
		["without its braces", secret.replace(/^\{(.*)\}$/, "$1")],
		["with urn:uuid: before it", `urn:uuid:${secret}`],
		["without the urn:uuid: before it", secret.replace(/^urn:uuid:/i, "")],
		["in double quotes", `"${secret}"`],
		["without its quotes", secret.replace(/^(["'])(.*)\1$/, "$2")],
		["decoded from hexadecimal", fromHex(secret)],
		["decoded from base64", fromBase64(secret)],
		["encoded as base64", btoa(String.fromCharCode(...encoder.encode(secret)))],
	];
}

async function explainSignature(
	token: string,
	secrets: readonly string[],
	port: CryptoPort,
): Promise<string> {
	for (const secret of secrets)
		for (const [what, variant] of listVariants(secret)) {
			if (!variant || variant === secret || variant.length === 0) continue;
			const key = await port.createKey(variant);
			if ((await port.matchKey(token, [key])) === 0)
				return `The signature is right with the secret ${what}: the sender and this receiver spell it differently, and it is used exactly as spelled.`;
		}
	return "The signature matches neither the secret nor a usual misspelling of it: is it the integration_uuid of this very integration, and was it rotated?";
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
	const apart = (seconds: number) => `${Math.round(seconds)} s`;
	const clocks =
		"Compare this machine's clock with the sender's (is NTP running?)";
	switch (reason) {
		case "TOKEN_EXPIRED":
			return `The token expired ${apart(nowS - Number(claims.exp))} ago. ${clocks}, or it is a late copy of an old request; expToleranceS allows for small differences.`;
		case "IAT_FUTURE":
			return `The token was issued ${apart(Number(claims.iat) - nowS)} in the future. ${clocks}.`;
		case "TOKEN_NOT_YET_VALID":
			return `The token is valid in ${apart(Number(claims.nbf) - nowS)}. ${clocks}.`;
		case "EXP_TOO_FAR":
			return `The token lives for ${apart(Number(claims.exp) - Number(claims.iat))}; maxLifetimeS sets what is accepted.`;
		default:
			return undefined;
	}
}

/** Why a token was refused, in a sentence for development that holds neither token nor secret; the verdict is already made. */
export async function explain(
	reason: Reason,
	options: VerifyOptions,
	token: string | undefined,
	port: CryptoPort,
): Promise<string | undefined> {
	if (reason === "TOKEN_MISSING")
		return "No Authorization header reached the receiver. Proxies known to strip it: Apache with CGI or FastCGI, CloudFront without an origin request policy, ngrok or authentication proxies that check it themselves. tokenHeader can name another header.";
	if (token === undefined) return undefined;
	const claims = parseSegment(token.split(".")[1] ?? "", port);
	if (!claims) return undefined;
	try {
		if (reason === "SIGNATURE_INVALID")
			return await explainSignature(
				token,
				await findSecrets(options, claims),
				port,
			);
	} catch {
		return undefined;
	}
	return explainTimes(reason, claims, (options.clock ?? Date.now)() / 1000);
}
