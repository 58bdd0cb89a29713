import type { Reason } from "../common/reasons.ts";
import { isCanonicalBase64url } from "./base64url.ts";
import type { PlatformCrypto } from "./platform-crypto.ts";

// One linear pass: no segment may hold a dot, so nothing can backtrack.
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const SIGNATURE_LENGTH = 43;
/** Servers usually take 8 to 16 KiB of headers. Where there is no such limit, a longer token costs nothing but this comparison. */
export const MAX_LENGTH = 64 * 1024;
/** `{"alg":"HS256","typ":"JWT"}`, the header of nearly every sender. It need not be decoded. */
const USUAL_HEADER = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9";

/** Is the value a JSON object: not null, not an array? */
export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses the JSON object in a token's segment. Undefined if there is none. */
export function parseSegment(
	segment: string,
	platform: PlatformCrypto,
): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(platform.decodeSegment(segment) ?? "");
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function problemOfHeader(
	segment: string,
	platform: PlatformCrypto,
): Reason | undefined {
	if (segment === USUAL_HEADER) return undefined;
	if (!isCanonicalBase64url(segment)) return "TOKEN_MALFORMED";
	const header = parseSegment(segment, platform);
	if (!header) return "TOKEN_MALFORMED";
	if (header.alg !== "HS256") return "ALG_UNSUPPORTED";
	// Any crit is refused, even an empty one or null. kid, jwk, jku, x5u and typ are ignored.
	if (Object.hasOwn(header, "crit")) return "CRIT_UNSUPPORTED";
	return undefined;
}

/** Checks everything about a compact token that needs no secret. Returns its payload segment, or a reason. */
export function parseToken(
	token: string,
	platform: PlatformCrypto,
): { payload: string; reason?: never } | { payload?: never; reason: Reason } {
	if (token.length > MAX_LENGTH) return { reason: "TOKEN_TOO_LONG" };
	if (!COMPACT.test(token)) return { reason: "TOKEN_MALFORMED" };
	const first = token.indexOf(".");
	const last = token.lastIndexOf(".");
	const reason = problemOfHeader(token.slice(0, first), platform);
	if (reason) return { reason };
	const payload = token.slice(first + 1, last);
	const signature = token.slice(last + 1);
	if (!isCanonicalBase64url(payload) || !isCanonicalBase64url(signature))
		return { reason: "TOKEN_MALFORMED" };
	if (signature.length !== SIGNATURE_LENGTH)
		return { reason: "SIGNATURE_INVALID" };
	return { payload };
}
