import { compactVerify, type JWTPayload, jwtVerify } from "jose";
import { NOW_MS, NOW_S, SECRET } from "#kit/endpoints/tokens.ts";

const key = await crypto.subtle.importKey(
	"raw",
	new TextEncoder().encode(SECRET),
	{ name: "HMAC", hash: "SHA-256" },
	false,
	["verify"],
);

const isCanonical = (segment: string): boolean =>
	Buffer.from(segment, "base64url").toString("base64url") === segment;

const isRequiredText = (value: unknown): boolean =>
	typeof value === "string" && value !== "";

const isSomeText = (value: unknown): boolean =>
	value === undefined || value === null || typeof value === "string";

/** The receiver's rules that jose does not check. */
function meetsOurRules(claims: JWTPayload): boolean {
	const { iat, exp, jti } = claims;
	return (
		Number.isSafeInteger(iat) &&
		Number.isSafeInteger(exp) &&
		(claims.nbf === undefined || Number.isSafeInteger(claims.nbf)) &&
		Number(exp) - Number(iat) <= 86_400 &&
		Number(iat) <= NOW_S + 300 &&
		["company_uuid", "user_uuid", "event_id"].every((name) =>
			isRequiredText(claims[name]),
		) &&
		isSomeText(jti)
	);
}

/**
 * Accepts the tokens that the receiver should accept, written independently of it: jose checks the signature, the JSON and the time
 * claims, and rules of our own the strictness that jose leaves open (crit, padding, canonical base64url).
 */
export async function isAcceptedByOracle(token: string): Promise<boolean> {
	if (!token.split(".").every(isCanonical)) return false;
	try {
		const { protectedHeader } = await compactVerify(token, key, {
			algorithms: ["HS256"],
		});
		if ("crit" in protectedHeader) return false;
		const raw = Buffer.from(token.split(".")[1] ?? "", "base64url");
		// jose strips a BOM and replaces nothing, so only the BOM needs a rule of our own.
		if (raw[0] === 0xef && raw[1] === 0xbb) return false;
		const { payload } = await jwtVerify(token, key, {
			algorithms: ["HS256"],
			requiredClaims: ["exp", "iat"],
			currentDate: new Date(NOW_MS),
		});
		return meetsOurRules(payload);
	} catch {
		return false;
	}
}
