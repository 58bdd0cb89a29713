export { TOKEN_LIFETIME_S, WebhookClaims } from "./claims.ts";
export {
  Configuration,
  ConfigurationEntry,
  ExternalSettings,
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
export {
  ContactPayload,
  DealPayload,
  type EventBody,
  eventBodySchema,
  LeadPayload,
  MessagePayload,
  NotePayload,
  PartnershipPayload,
  type Payloads,
} from "./payloads.ts";
export { hashPayload, importSecret, signToken } from "./token.ts";
