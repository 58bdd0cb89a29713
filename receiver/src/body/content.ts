import type { Incoming } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";

/** The supported content codings. `identity` is not compressed. */
export type Coding = "identity" | "gzip" | "deflate";

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";,\s]*)/gi;
const UTF8 = /^utf-?8$/i;

/**
 * Refuses form types, and declared charsets other than UTF-8. Any other media type is fine, also none, if the bytes parse: the token
 * authenticates the sender.
 */
function isAcceptedType(contentType: string | null | undefined): boolean {
	if (!contentType || contentType === "application/json") return true;
	if (FORM.test(contentType)) return false;
	for (const [, charset = ""] of contentType.matchAll(CHARSET))
		if (!UTF8.test(charset)) return false;
	return true;
}

/** Parses a Content-Encoding. Undefined if it is not supported. */
function parseCoding(
	contentEncoding: string | null | undefined,
): Coding | undefined {
	switch (contentEncoding?.trim().toLowerCase() || "identity") {
		case "identity":
			return "identity";
		case "gzip":
		case "x-gzip":
			return "gzip";
		case "deflate":
			return "deflate";
		default:
			return undefined;
	}
}

/** Reads from the headers how to inflate the body, or why it is refused before any byte is read. */
export function checkContent(
	incoming: Incoming,
): { coding: Coding; reason?: never } | { coding?: never; reason: Reason } {
	if (!isAcceptedType(incoming.header("content-type")))
		return { reason: "UNSUPPORTED_MEDIA_TYPE" };
	const coding = parseCoding(incoming.header("content-encoding"));
	if (!coding) return { reason: "UNSUPPORTED_ENCODING" };
	return { coding };
}
