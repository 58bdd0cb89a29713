import type { Incoming } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";
import { MAX_LENGTH } from "./token.ts";

// RFC 9110 §11.1: the scheme is case-insensitive. Several spaces or tabs may follow it.
const BEARER = /^bearer(?:[ \t]+|$)/i;

/** Reads the token of a request, or says why there is none. Two different Authorization values are refused on every adapter. */
export function readToken(
	incoming: Incoming,
	headers: readonly string[],
): { token: string; reason?: never } | { token?: never; reason: Reason } {
	for (const name of headers) {
		const value = incoming.header(name)?.trim();
		if (!value) continue;
		// A megabyte of commas would be as many texts. The same token twice, which a proxy may make of one, has room.
		if (value.length > 3 * MAX_LENGTH) return { reason: "TOKEN_TOO_LONG" };
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
