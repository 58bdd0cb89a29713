import { z } from "zod";
import { ExternalSettings } from "../../configuration.ts";

/**
 * The claims of a webhook token: the seven of docs/contract.md#webhook-requests and three additive ones
 * (docs/decisions.md#additive-claims). Times are Unix seconds.
 */
export const WebhookClaims = z.object({
	company_uuid: z.string(),
	user_uuid: z.string(),
	event_id: z.string(),
	api_key: z.string().optional(),
	external_settings: ExternalSettings.optional(),
	iat: z.int(),
	exp: z.int(),
	/** The delivery's uuid, the same on every attempt. */
	jti: z.string().optional(),
	/** base64url SHA-256 of the JSON bytes. */
	payload_sha256: z.string().optional(),
	/** The delivery's number within its integration, without gaps. */
	sequence: z.int().optional(),
});
export type WebhookClaims = z.infer<typeof WebhookClaims>;
