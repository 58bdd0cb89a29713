/*
 * The claims of a webhook token. The schema that parses them is the contract's; the receiver has a parser of its own.
 */

/** The values that an integration sends with each request. */
export type ExternalSettings = {
	authorisation: { id: string; value: string }[];
};

/**
 * The claims that docs/contract.md#webhook-requests lists, and three additive ones (docs/decisions.md#additive-claims).
 * Times are Unix seconds.
 */
export type WebhookClaims = {
	company_uuid: string;
	user_uuid: string;
	event_id: string;
	api_key?: string | undefined;
	external_settings?: ExternalSettings | undefined;
	iat: number;
	exp: number;
	/** The delivery's uuid, the same on every attempt. */
	jti?: string | undefined;
	/** base64url SHA-256 of the JSON bytes. */
	payload_sha256?: string | undefined;
	/** The delivery's number within its integration, without gaps. */
	sequence?: number | undefined;
};

/** How long a webhook token is valid by default, in seconds (docs/decisions.md#token-lifetime). */
export const TOKEN_LIFETIME_S = 3600;
