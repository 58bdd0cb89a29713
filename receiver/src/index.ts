export { type ConfigErrorCode, ReceiverConfigError } from "./config-error.ts";
export type {
	DedupState,
	DeliveryContext,
	EventContext,
	EventIdsOf,
	Handler,
	HandlerFor,
	UniqueKey,
} from "./context-types.ts";
export type {
	ClaimRequest,
	ClaimResult,
	DedupStore,
	Ticket,
} from "./dedup-store.ts";
export { EVENTS, type EventSelector } from "./events.ts";
export type { Inbox } from "./inbox.ts";
export type { InboxEntry, InboxState, InboxStats } from "./inbox-store.ts";
export type { BodySource, Bytes, Incoming } from "./incoming.ts";
export {
	type MemoryStore,
	type MemoryStoreOptions,
	memoryStore,
} from "./memory-store.ts";
export { PermanentFailure } from "./permanent-failure.ts";
export { REASONS, type Reason } from "./reasons.ts";
export { createReceiver, type Receiver } from "./receiver.ts";
export type { ReceiverOptions, UnhandledEvent } from "./receiver-options.ts";
export type { Secret, SecretLookup, UnverifiedClaims } from "./secrets.ts";
export type { Observation, Outcome, Verdict } from "./verdict.ts";
export {
	createVerifier,
	type Verifier,
	type VerifyOptions,
	type VerifyResult,
	verify,
} from "./verify.ts";
