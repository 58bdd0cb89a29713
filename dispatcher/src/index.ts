export { signToken } from "@partnerwire/contract";
export {
	type AttemptFailure,
	type AttemptResult,
	type AttemptTimings,
	FAILURE_CLASSES,
	type FailureClass,
	type FailureStage,
	type ResponseHeaders,
} from "./attempt-result.ts";
export { encodeBody, hashBody } from "./body.ts";
export { buildClaims, type ClaimsInput } from "./claims.ts";
export type { Resolve, ResolvedAddress } from "./connection.ts";
export {
	createDispatcher,
	type Dispatcher,
	type DispatcherOptions,
	type EmitOptions,
	type EventOptions,
} from "./create-dispatcher.ts";
export { adviceFor, adviceForClass } from "./failures.ts";
export { maskClaims } from "./mask-claims.ts";
export type { NetworkPolicy } from "./network-policy.ts";
export { openProbe, type Probe } from "./probe/probe.ts";
export {
	PROBE_STEPS,
	type ProbeCheck,
	type ProbeResult,
} from "./probe/report.ts";
export { parseRetryAfter } from "./retry-after.ts";
export type { SignedRequest, UnsignedRequest } from "./seal.ts";
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
export { createSigner, type Signer } from "./signer.ts";
export type { ThreadedWireOptions } from "./thread/sender.ts";
export {
	createThreadedWire,
	type ThreadedWire,
} from "./thread/threaded-wire.ts";
export { USER_AGENT } from "./user-agent.ts";
export { checkWebhookUrl } from "./webhook-url.ts";
export {
	type AttemptRequest,
	createWire,
	type Wire,
	type WireOptions,
} from "./wire.ts";
