import type { Incoming } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";

// RFC 9110 §11.1: the scheme's case does not matter; one or more spaces or tabs (case B02).
const BEARER = /^bearer(?:[ \t]+|$)/i;

/** The token of a request, or why there is none; two different Authorization values are refused on every adapter (case B05). */
export function readToken(
	incoming: Incoming,
	headers: readonly string[],
): { token: string; reason?: never } | { token?: never; reason: Reason } {
	for (const name of headers) {
		const value = incoming.header(name)?.trim();
		if (!value) continue;
		const values = value.includes(",")
			? new Set(value.split(",").map((each) => each.trim()))
			: undefined;
		if (values && values.size > 1) return { reason: "MULTIPLE_AUTHORIZATION" };
		const [credential = ""] = values ?? [value];
		const scheme = BEARER.exec(credential);
		if (!scheme) return { reason: "AUTHORIZATION_SCHEME" };
		const token = credential.slice(scheme[0].length).trim();
		return token === "" ? { reason: "TOKEN_MISSING" } : { token };
	}
	return { reason: "TOKEN_MISSING" };
}
