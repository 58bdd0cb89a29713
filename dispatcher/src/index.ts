// The package `@partnerwire/dispatcher`: sign and send webhooks, without a database.
export {
	createDispatcher,
	type Dispatcher,
	type DispatcherOptions,
	type EmitOptions,
	type EventOptions,
} from "./create-dispatcher.ts";
export { parseRetryAfter } from "./http/answers/retry-after.ts";
export {
	type AttemptFailure,
	type AttemptResult,
	type AttemptTimings,
	FAILURE_CLASSES,
	type FailureClass,
	type FailureStage,
	type ResponseHeaders,
} from "./http/attempt-result.ts";
export type {
	Resolve,
	ResolvedAddress,
} from "./http/connections/connection.ts";
export { adviceFor, adviceForClass } from "./http/failures.ts";
export type { NetworkPolicy } from "./http/guard/network-policy.ts";
export { checkWebhookUrl } from "./http/guard/webhook-url.ts";
export { USER_AGENT } from "./http/user-agent.ts";
export {
	type AttemptRequest,
	createWire,
	type Wire,
	type WireOptions,
} from "./http/wire.ts";
export { openProbe, type Probe } from "./probe/probe.ts";
export {
	PROBE_STEPS,
	type ProbeCheck,
	type ProbeResult,
} from "./probe/report.ts";
export {
	type SendOptions,
	type SendResult,
	send,
} from "./send.ts";
export {
	type RetriedSendResult,
	type RetryOptions,
	sendWithRetry,
} from "./send-with-retry.ts";
export { encodeBody, hashBody } from "./sign/body.ts";
export { buildClaims, type ClaimsInput } from "./sign/claims.ts";
export { maskClaims } from "./sign/mask-claims.ts";
export type { SignedRequest, UnsignedRequest } from "./sign/seal.ts";
export { signToken } from "./sign/sign-token.ts";
export { createSigner, type Signer } from "./sign/signer.ts";
export type { ThreadedWireOptions } from "./thread/sender.ts";
export {
	createThreadedWire,
	type ThreadedWire,
} from "./thread/threaded-wire.ts";
