import type { WebhookClaims } from "@partnerwire/wire";
import type { Reason } from "../common/reasons.ts";
import { isObject } from "./token.ts";

/** How strictly the time claims are read; all in seconds. */
export interface ClaimLimits {
	/** How long after `exp` a token is still accepted. 0 by default: the contract says that expired tokens are refused. */
	expToleranceS: number;
	/** The longest accepted `exp - iat`. */
	maxLifetimeS: number;
	/** How far `iat` may be ahead of this clock. */
	iatAheadS: number;
}

/** The defaults, as in docs/receiver.md#options. */
export const CLAIM_LIMITS: ClaimLimits = {
	expToleranceS: 0,
	maxLifetimeS: 24 * 60 * 60,
	iatAheadS: 5 * 60,
};

function problemOfTimes(
	claims: Record<string, unknown>,
	nowS: number,
	limits: ClaimLimits,
): Reason | undefined {
	const { exp, iat, nbf } = claims;
	if (exp === undefined) return "EXP_MISSING";
	if (!Number.isSafeInteger(exp)) return "EXP_INVALID";
	if (iat === undefined) return "IAT_MISSING";
	if (!Number.isSafeInteger(iat)) return "IAT_INVALID";
	if (nbf !== undefined && !Number.isSafeInteger(nbf)) return "NBF_INVALID";
	if ((exp as number) - (iat as number) > limits.maxLifetimeS)
		return "EXP_TOO_FAR";
	if (nowS >= (exp as number) + limits.expToleranceS) return "TOKEN_EXPIRED";
	if ((iat as number) > nowS + limits.iatAheadS) return "IAT_FUTURE";
	if (nbf !== undefined && (nbf as number) > nowS + limits.expToleranceS)
		return "TOKEN_NOT_YET_VALID";
	return undefined;
}

const REQUIRED = ["company_uuid", "user_uuid", "event_id"];
const OPTIONAL = [
	"api_key",
	"external_settings",
	"jti",
	"payload_sha256",
	"sequence",
];

function isOptional(name: string, value: unknown): boolean {
	if (name === "external_settings") return isObject(value);
	if (name === "sequence") return Number.isSafeInteger(value);
	return typeof value === "string";
}

/**
 * Parses the claims of a token whose signature is good, or gives the reason why they are refused
 * (docs/contract.md#webhook-requests). An optional claim that is null counts as absent: it cannot forge anything, and some senders
 * write their unset members as null. Refusing it would lose all their events.
 */
export function parseClaims(
	claims: Record<string, unknown>,
	nowS: number,
	limits: ClaimLimits,
): WebhookClaims | Reason {
	const reason = problemOfTimes(claims, nowS, limits);
	if (reason) return reason;
	for (const name of REQUIRED) {
		const value = claims[name] ?? "";
		if (value === "") return "CLAIM_MISSING";
		if (typeof value !== "string") return "CLAIM_INVALID";
	}
	for (const name of OPTIONAL) {
		const value = claims[name];
		if (value === null) delete claims[name];
		else if (value !== undefined && !isOptional(name, value))
			return "CLAIM_INVALID";
	}
	return claims as WebhookClaims;
}

const MASK = "***";

/** Copies the claims for showing: `api_key` and the values of `external_settings` are masked. */
export function maskClaims(claims: WebhookClaims): WebhookClaims {
	const masked = { ...claims };
	if (masked.api_key !== undefined) masked.api_key = MASK;
	if (masked.external_settings) {
		const { authorisation } = masked.external_settings;
		masked.external_settings = {
			authorisation: Array.isArray(authorisation)
				? authorisation.map((entry) => ({
						id: String(entry?.id),
						value: MASK,
					}))
				: [],
		};
	}
	return masked;
}
