import * as z from "zod";
import { text } from "../../table/text.ts";

/* What a webhook request carries beside the record: the claims of its token, and the settings of its integration. */

const Selected = z.object({ id: text(), value: text(4096) });

/** One entry of the `configuration` array of a webhook body (docs/contract.md#payload). */
export const ConfigurationEntry = z.object({
	id: text(),
	selected: z.array(Selected).max(100),
});
export type ConfigurationEntry = z.infer<typeof ConfigurationEntry>;

/** The whole `configuration` array; the ids are an open set, of which the contract names two. */
export const Configuration = z.array(ConfigurationEntry).max(100);
export type Configuration = z.infer<typeof Configuration>;

/** The integration's `external_settings` (docs/contract.md#webhook-requests). */
export const ExternalSettings = z.object({
	authorisation: z.array(z.object({ id: text(), value: text(4096) })).max(100),
});
export type ExternalSettings = z.infer<typeof ExternalSettings>;

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
