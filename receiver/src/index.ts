// The package `@partnerwire/receiver`. Adapters, stores and test helpers have subpaths of their own.
export {
	type ConfigErrorCode,
	ReceiverConfigError,
} from "./common/config-error.ts";
export type {
	DedupState,
	DeliveryContext,
	EventContext,
	EventIdsOf,
	Handler,
	HandlerFor,
	UniqueKey,
} from "./common/context-types.ts";
export { EVENTS, type EventSelector } from "./common/events.ts";
export type { BodySource, Bytes, Incoming } from "./common/incoming.ts";
export { PermanentFailure } from "./common/permanent-failure.ts";
export { REASONS, type Reason } from "./common/reasons.ts";
export type { Observation, Outcome, Verdict } from "./common/verdict.ts";
export type {
	ClaimRequest,
	ClaimResult,
	DedupStore,
	Ticket,
} from "./dedupe/dedup-store.ts";
export {
	type MemoryStore,
	type MemoryStoreOptions,
	memoryStore,
} from "./dedupe/memory-store.ts";
export type { Inbox } from "./inbox/inbox.ts";
export type {
	InboxEntry,
	InboxState,
	InboxStats,
} from "./inbox/inbox-store.ts";
export type { ReceiverOptions, UnhandledEvent } from "./options.ts";
export { createReceiver, type Receiver } from "./receiver.ts";
export type {
	Secret,
	SecretLookup,
	UnverifiedClaims,
} from "./verify/secrets.ts";
export {
	createVerifier,
	type Verifier,
	type VerifyOptions,
	type VerifyResult,
	verify,
} from "./verify/verify.ts";
