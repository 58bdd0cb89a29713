/*
 * The package `@partnerwire/wire`: the ids, claims and payload types that cross the wire, how to tell an id from a secret, and
 * `parseUrl`. No dependency.
 */

export {
	type ExternalSettings,
	TOKEN_LIFETIME_S,
	type WebhookClaims,
} from "./claims.ts";
export {
	type Configuration,
	type ConfigurationEntry,
	LEAD_INTEGRATION_SETTINGS,
	UNIQUE_FIELD_LEAD,
} from "./configuration.ts";
export {
	EVENT_GROUPS,
	EVENT_IDS,
	type EventGroup,
	type EventId,
	eventGroupOf,
	isEventId,
	type PayloadKey,
	type PayloadKeyOf,
	payloadKeyOf,
} from "./event-ids.ts";
export { isIntegrationId } from "./is-integration-id.ts";
export { parseUrl } from "./parse-url.ts";
export type {
	ContactPayload,
	DealPayload,
	EventBody,
	LeadPayload,
	MessagePayload,
	NotePayload,
	PartnershipPayload,
	Payloads,
} from "./payloads.ts";
