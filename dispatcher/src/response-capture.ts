import { StringDecoder } from "node:string_decoder";
import type { ResponseHeaders } from "./attempt-result.ts";

/** How much of a body is kept (decisions §2, Response capture). */
export const KEPT_BODY_BYTES = 4 * 1024;
const MAX_HEADERS = 64;
const MAX_VALUE_LENGTH = 1024;

// A receiver that echoes the request would put the token into the attempt log (receiver cases, G04).
const TOKEN = /eyJ[\w-]{8,}\.[\w-]*(\.[\w-]*)?/g;

/** Text that every database stores and that holds no token. */
function clean(text: string): string {
	const masked = text.includes("eyJ") ? text.replace(TOKEN, "[token]") : text;
	return masked.includes("\0") ? masked.replaceAll("\0", "\uFFFD") : masked;
}

/** The headers of an answer as they are kept: bounded, without `set-cookie` and without tokens. */
export function captureHeaders(
	headers: Readonly<Record<string, string | string[] | undefined>>,
): ResponseHeaders {
	const kept: Record<string, string | string[]> = {};
	let count = 0;
	for (const name of Object.keys(headers)) {
		const value = headers[name];
		if (value === undefined || name.startsWith("set-cookie")) continue;
		if (++count > MAX_HEADERS) break;
		kept[name] =
			typeof value === "string"
				? clean(value.slice(0, MAX_VALUE_LENGTH))
				: value
						.slice(0, MAX_HEADERS)
						.map((one) => clean(one.slice(0, MAX_VALUE_LENGTH)));
	}
	return kept;
}

/** The first bytes of a body as text; a character cut in half at the end is dropped. */
export function captureBody(chunks: readonly Buffer[]): string {
	const [first] = chunks;
	if (!first) return "";
	const bytes = chunks.length === 1 ? first : Buffer.concat(chunks);
	if (bytes.length <= KEPT_BODY_BYTES) return clean(bytes.toString("utf8"));
	return clean(
		new StringDecoder("utf8").write(bytes.subarray(0, KEPT_BODY_BYTES)),
	);
}
