import {
	type EventId,
	type ExternalSettings,
	isEventId,
	TOKEN_LIFETIME_S,
	type WebhookClaims,
} from "@partnerwire/wire";

export interface ClaimsInput {
	readonly companyUuid: string;
	readonly userUuid: string;
	readonly event: EventId;
	/** The attempt's time in Unix milliseconds. */
	readonly nowMs: number;
	readonly tokenLifetimeS?: number;
	readonly apiKey?: string | null;
	readonly externalSettings?: ExternalSettings | null;
	/** The three additive claims (docs/decisions.md#additive-claims). Those that are left out are not sent. */
	readonly jti?: string | null;
	readonly payloadSha256?: string | null;
	readonly sequence?: number | null;
}

/** Throws for a lifetime whose `exp` no receiver would accept. */
export function checkTokenLifetime(seconds: number = TOKEN_LIFETIME_S): void {
	if (Number.isSafeInteger(seconds) && seconds >= 1) return;
	throw new TypeError(
		`tokenLifetimeS must be a whole number of seconds from 1, not ${seconds}`,
	);
}

/** Throws for an event that is not in the contract (docs/contract.md#events). */
export function checkEvent(event: string): void {
	if (isEventId(event)) return;
	throw new TypeError(`event is not a known event id: ${String(event)}`);
}

/** Builds the claims of one attempt's token, with a fresh `iat` and `exp` (docs/contract.md#webhook-requests). */
export function buildClaims(input: ClaimsInput): WebhookClaims {
	checkEvent(input.event);
	checkTokenLifetime(input.tokenLifetimeS);
	const iat = Math.floor(input.nowMs / 1000);
	const claims: WebhookClaims = {
		company_uuid: input.companyUuid,
		user_uuid: input.userUuid,
		event_id: input.event,
		iat,
		exp: iat + (input.tokenLifetimeS ?? TOKEN_LIFETIME_S),
	};
	if (input.apiKey != null) claims.api_key = input.apiKey;
	if (input.externalSettings != null)
		claims.external_settings = input.externalSettings;
	if (input.jti != null) claims.jti = input.jti;
	if (input.payloadSha256 != null) claims.payload_sha256 = input.payloadSha256;
	if (input.sequence != null) claims.sequence = input.sequence;
	return claims;
}
