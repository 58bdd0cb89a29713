import { StringDecoder } from "node:string_decoder";
import type { ResponseHeaders } from "../attempt-result.ts";
import { maskSecrets } from "./mask-secrets.ts";

/** How much of a body is kept in the attempt's record. */
export const KEPT_BODY_BYTES = 4 * 1024;
const MAX_HEADERS = 64;
const MAX_VALUE_LENGTH = 1024;

/** Makes a text storable in every database, and masks tokens and secrets. `isCut`: the answer continues after the text. */
function clean(
	text: string,
	spellings: readonly string[],
	isCut: boolean,
	token: string | undefined,
): string {
	const masked = maskSecrets(text, spellings, isCut, token);
	return masked.includes("\0") ? masked.replaceAll("\0", "\uFFFD") : masked;
}

const cleanValue = (
	value: string,
	spellings: readonly string[],
	token: string | undefined,
) =>
	clean(
		value.slice(0, MAX_VALUE_LENGTH),
		spellings,
		value.length > MAX_VALUE_LENGTH,
		token,
	);

/**
 * The headers of an answer as they are kept: bounded, without `set-cookie`, and with tokens and secrets masked, which a receiver may
 * echo.
 */
export function captureHeaders(
	headers: Readonly<Record<string, string | string[] | undefined>>,
	spellings: readonly string[],
	token?: string,
): ResponseHeaders {
	const kept: Record<string, string | string[]> = {};
	let count = 0;
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		if (value === undefined || name.startsWith("set-cookie")) continue;
		if (++count > MAX_HEADERS) break;
		kept[name] =
			typeof value === "string"
				? cleanValue(value, spellings, token)
				: value
						.slice(0, MAX_HEADERS)
						.map((text) => cleanValue(text, spellings, token));
	}
	return kept;
}

/**
 * The first bytes of a body as text, with tokens and secrets masked. A character that is cut at the end is dropped.
 */
export function captureBody(
	chunks: readonly Buffer[],
	spellings: readonly string[],
	token?: string,
): string {
	const [first] = chunks;
	if (!first) return "";
	const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
	if (bytes.length <= KEPT_BODY_BYTES)
		return clean(bytes.toString("utf8"), spellings, false, token);
	const kept = bytes.subarray(0, KEPT_BODY_BYTES);
	return clean(new StringDecoder("utf8").write(kept), spellings, true, token);
}
