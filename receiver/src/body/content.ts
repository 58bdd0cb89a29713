import type { Incoming } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";

/** The codings that a body can be inflated from; `identity` needs no work (case A10). */
export type Coding = "identity" | "gzip" | "deflate";

const FORM = /^\s*(?:application\/x-www-form-urlencoded|multipart\/)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";,\s]*)/gi;
const UTF8 = /^utf-?8$/i;

/**
 * The token authenticates the sender, so any media type whose bytes parse is fine, none included; only a form type or a declared
 * charset other than UTF-8 is refused (cases A22, A23).
 */
function isAcceptedType(contentType: string | null | undefined): boolean {
	if (!contentType || contentType === "application/json") return true;
	if (FORM.test(contentType)) return false;
	for (const [, charset = ""] of contentType.matchAll(CHARSET))
		if (!UTF8.test(charset)) return false;
	return true;
}

/** The coding that a Content-Encoding names; undefined for those that are not supported. */
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

/** What the headers say about the body: how to inflate it, or why it is refused before a byte of it is read. */
export function checkContent(
	incoming: Incoming,
): { coding: Coding; reason?: never } | { coding?: never; reason: Reason } {
	if (!isAcceptedType(incoming.header("content-type")))
		return { reason: "UNSUPPORTED_MEDIA_TYPE" };
	const coding = parseCoding(incoming.header("content-encoding"));
	if (!coding) return { reason: "UNSUPPORTED_ENCODING" };
	return { coding };
}
