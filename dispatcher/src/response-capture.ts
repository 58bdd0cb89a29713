import { StringDecoder } from "node:string_decoder";
import type { ResponseHeaders } from "./attempt-result.ts";
import { MASK } from "./mask-claims.ts";

/** How much of a body is kept (decisions §2, Response capture). */
export const KEPT_BODY_BYTES = 4 * 1024;
const MAX_HEADERS = 64;
const MAX_VALUE_LENGTH = 1024;

// A receiver that echoes the request would put the token into the attempt log (receiver cases, G04).
const TOKEN = /eyJ[\w-]{8,}\.[\w-]*(\.[\w-]*)?/g;

const HTML: Record<string, string> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

/** All that may stand for secrets in an answer that echoes them. */
export const spellingsOf = (secrets: readonly string[]): readonly string[] =>
	secrets.flatMap(spell);

/** A secret as pages, forms and JSON spell it, PHP's too, and as it was sent: the longer may hold the shorter. */
function spell(secret: string): string[] {
	if (/^[\w-]*$/.test(secret)) return [secret];
	const json = JSON.stringify(secret).slice(1, -1);
	const inForm = new URLSearchParams({ "": secret }).toString().slice(1);
	const inUrl = encodeURIComponent(Buffer.from(secret).toString());
	const inPage = secret.replace(/[&<>"']/g, (sign) => HTML[sign] as string);
	const all = [json.replaceAll("/", "\\/"), json, inForm, inUrl, inPage];
	return [...new Set([...all, secret])].sort((a, b) => b.length - a.length);
}

/** Text that every database stores, and that holds no token and none of the secrets. */
function clean(text: string, spellings: readonly string[]): string {
	let cleaned = text.includes("eyJ") ? text.replace(TOKEN, "[token]") : text;
	for (const spelling of spellings)
		cleaned = cleaned.replaceAll(spelling, MASK);
	return cleaned.includes("\0") ? cleaned.replaceAll("\0", "\uFFFD") : cleaned;
}

/** How much of a text's end is the beginning of a secret. */
function countBegun(text: string, spelling: string): number {
	let length = Math.min(spelling.length - 1, text.length);
	while (!text.endsWith(spelling.slice(0, length))) length--;
	return length;
}

/** Cleans text that was cut off: what is left of a secret at its end goes too. */
function cleanCut(text: string, spellings: readonly string[]): string {
	const cleaned = clean(text, spellings);
	const begun = Math.max(
		0,
		...spellings.map((spelling) => countBegun(cleaned, spelling)),
	);
	return begun === 0 ? cleaned : cleaned.slice(0, -begun) + MASK;
}

const cleanValue = (value: string, spellings: readonly string[]) =>
	value.length > MAX_VALUE_LENGTH
		? cleanCut(value.slice(0, MAX_VALUE_LENGTH), spellings)
		: clean(value, spellings);

/**
 * The headers of an answer as they are kept: bounded, without `set-cookie`, and without tokens and the given spellings of
 * secrets, which a receiver may echo.
 */
export function captureHeaders(
	headers: Readonly<Record<string, string | string[] | undefined>>,
	spellings: readonly string[],
): ResponseHeaders {
	const kept: Record<string, string | string[]> = {};
	let count = 0;
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		if (value === undefined || name.startsWith("set-cookie")) continue;
		if (++count > MAX_HEADERS) break;
		kept[name] =
			typeof value === "string"
				? cleanValue(value, spellings)
				: value.slice(0, MAX_HEADERS).map((one) => cleanValue(one, spellings));
	}
	return kept;
}

/**
 * The first bytes of a body as text, without tokens and the given spellings of secrets; a character cut in half at the end is dropped.
 */
export function captureBody(
	chunks: readonly Buffer[],
	spellings: readonly string[],
): string {
	const [first] = chunks;
	if (!first) return "";
	const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
	if (bytes.length <= KEPT_BODY_BYTES)
		return clean(bytes.toString("utf8"), spellings);
	const kept = bytes.subarray(0, KEPT_BODY_BYTES);
	return cleanCut(new StringDecoder("utf8").write(kept), spellings);
}
