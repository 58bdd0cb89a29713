import { isIntegrationId, type WebhookClaims } from "@partnerwire/wire";
import type { ReadLimits } from "./body/read-body.ts";
import { ReceiverConfigError } from "./common/config-error.ts";
import type { Handler } from "./common/context-types.ts";
import type { Incoming } from "./common/incoming.ts";
import type { Reason } from "./common/reasons.ts";
import type { Observation, Verdict } from "./common/verdict.ts";
import type { DedupeOptions } from "./dedupe/dedupe.ts";
import { memoryStore } from "./dedupe/memory-store.ts";
import type { Delivery } from "./handle/context.ts";
import type { DeliverOptions, HandleOptions } from "./handle/deliver.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { RequestState } from "./report/request-state.ts";
import { type ReportOptions, toEntry } from "./report/tell.ts";
import { CLAIM_LIMITS, type ClaimLimits } from "./verify/claims.ts";
import type { Explain } from "./verify/explain.ts";
import type { PlatformCrypto } from "./verify/platform-crypto.ts";
import { ID_FOR_SECRET, isUuidSecret, parseSecrets } from "./verify/secrets.ts";
import type { VerifyOptions } from "./verify/verify.ts";

/** An authenticated event without a handler. This version may not even know its id. */
export interface UnhandledEvent {
	eventId: string;
	claims: WebhookClaims;
	body: Record<string, unknown>;
}

/** The options of `createReceiver`; only the secret is required. */
export interface ReceiverOptions
	extends VerifyOptions,
		Partial<ReadLimits>,
		Partial<DedupeOptions>,
		Partial<HandleOptions>,
		Pick<ReportOptions, "onError"> {
	/**
	 * Stores events before they are acknowledged, and runs the handlers from there: `sqliteInbox(path)` of `/sqlite`, or `postgresInbox`
	 * of `/postgres`. It recognises duplicates itself.
	 */
	inbox?: Inbox;
	/** Refuses a body that the token's `payload_sha256` does not bind. */
	requireBodyBinding?: boolean;
	/**
	 * Takes the object of a body parser although a check needs the bytes that the parser dropped: that of the token's `payload_sha256`, or
	 * `rejectDuplicateKeys`.
	 */
	allowParsedBody?: boolean;
	/** The answer to a token that is used with a second body: a flag for the handler, or 401. */
	onTokenReuse?: "flag" | "reject";
	/** `strict` refuses bodies with `issues`; `lenient` lists the issues for the handler. */
	schema?: "lenient" | "strict";
	/** Headers beside Authorization that may hold the token, such as `x-forwarded-authorization`. */
	tokenHeader?: string | readonly string[];
	/** Answers GET, HEAD and OPTIONS with 204, for services that probe the URL. */
	probe?: boolean;
	/**
	 * Development only: the log and the 401's body say why a token was refused. The verdict stays the same. Without Node's modules, give
	 * `explain` of `@partnerwire/receiver/explain` instead of true: bundles that do not name it do not hold it.
	 */
	explain?: boolean | Explain;
	/** Called for every answer. Refusals are also logged, one line a second for each reason. */
	onVerdict?: (observation: Observation) => void;
	/**
	 * Takes requests without a token that are signed as Standard Webhooks say: `standardWebhooks(handler)` of
	 * `@partnerwire/receiver/standard`. Without it they are refused.
	 */
	standard?: StandardWebhooks;
	/** Called for every event without a handler. */
	onUnhandled?: (event: UnhandledEvent) => void;
}

/** Made by `standardWebhooks`. It answers requests that have its headers instead of a token, and leaves others. */
export type StandardWebhooks = (
	o: ResolvedOptions,
	platform: PlatformCrypto,
	refuse: (
		reason: Reason,
		state: RequestState,
		token?: string,
		explanation?: string,
	) => Promise<Verdict>,
	deliver: (
		delivery: Delivery,
		handlers: readonly Handler[],
	) => Promise<Verdict>,
) => (
	reason: Reason,
	incoming: Incoming,
	state: RequestState,
) => Promise<Verdict> | undefined;

/** The options with every default filled in. */
export type ResolvedOptions = ReceiverOptions &
	ClaimLimits &
	ReadLimits &
	DeliverOptions &
	Required<
		Pick<
			ReceiverOptions,
			| "requireBodyBinding"
			| "allowParsedBody"
			| "onTokenReuse"
			| "schema"
			| "probe"
			| "explain"
		>
	> & { tokenHeaders: readonly string[] };

const DEFAULTS = {
	...CLAIM_LIMITS,
	clock: () => Date.now(),
	onStoreError: "open",
	storeTimeoutMs: 500,
	dedupTtlMs: 30 * 60 * 60 * 1000,
	deadlineMs: 9_000,
	maxBodyBytes: 1024 * 1024,
	bodyTimeoutMs: 5_000,
	rejectDuplicateKeys: false,
	requireBodyBinding: false,
	allowParsedBody: false,
	onTokenReuse: "flag",
	schema: "lenient",
	serialize: false,
	probe: false,
	explain: false,
} as const;

/** A claim outlives the deadline by this time, so that only the claim of a dead process is taken over. */
const LEASE_MARGIN_MS = 6_000;

/** Options that are numbers have a unit in their name. */
const NUMBER = /(?:Ms|S|Bytes)$/;

const CHOICES: Partial<Record<keyof ReceiverOptions, readonly string[]>> = {
	onStoreError: ["open", "closed"],
	onTokenReuse: ["flag", "reject"],
	schema: ["lenient", "strict"],
};

const refuse = (message: string): never => {
	throw new ReceiverConfigError("CONFIG_OPTION", `createReceiver: ${message}`);
};

const isProduction = (): boolean =>
	(globalThis as { process?: { env?: Record<string, string | undefined> } })
		.process?.env?.NODE_ENV === "production";

function checkOptions(options: ReceiverOptions): void {
	if (options.ackFirst && !options.inbox)
		refuse("ackFirst needs a durable inbox.");
	for (const [name, value] of Object.entries(options)) {
		if (value === undefined) continue;
		const choices = CHOICES[name as keyof ReceiverOptions];
		if (choices && !choices.includes(value))
			refuse(`${name} must be one of ${choices.join(", ")}.`);
		if (NUMBER.test(name) && !(Number.isFinite(value) && value >= 0))
			refuse(`${name} must be a number of at least 0.`);
	}
	const { dedup, inbox } = options;
	if (
		dedup !== undefined &&
		dedup !== false &&
		typeof dedup?.claim !== "function"
	)
		refuse("dedup must be a store, such as memoryStore(), or false.");
	if (inbox !== undefined && typeof inbox?.open !== "function")
		refuse("inbox must be an inbox, such as sqliteInbox(path).");
	if (options.explain && isProduction())
		refuse("explain is for development, not for NODE_ENV=production.");
}

function warnOfSecret(options: ReceiverOptions, log: (text: string) => void) {
	if (typeof options.secret === "function") return;
	const secrets = parseSecrets(options.secret);
	if (secrets.some(isIntegrationId)) log(ID_FOR_SECRET);
	if (!secrets.every(isUuidSecret))
		log("A secret is not a UUID: is it the signing secret (integration_uuid)?");
}

/** Checks the options and fills in the defaults. Options that cannot work throw here, not at the first request. */
export function resolveOptions(options: ReceiverOptions): ResolvedOptions {
	checkOptions(options);
	const defined = { ...options };
	for (const name of Object.keys(defined) as (keyof ReceiverOptions)[])
		if (defined[name] === undefined) delete defined[name];
	const deadlineMs = defined.deadlineMs ?? DEFAULTS.deadlineMs;
	const leaseMs = defined.leaseMs ?? deadlineMs + LEASE_MARGIN_MS;
	if (leaseMs <= deadlineMs) refuse("leaseMs must be more than deadlineMs.");
	const write = defined.log ?? ((message: string) => console.warn(message));
	const log = (message: string) => write(toEntry(message, defined));
	warnOfSecret(defined, log);
	const { tokenHeader = [] } = defined;
	return {
		...DEFAULTS,
		...(!defined.inbox && { dedup: memoryStore() }),
		...defined,
		leaseMs,
		log,
		hasLog: defined.log !== undefined,
		tokenHeaders: [
			"authorization",
			...(typeof tokenHeader === "string" ? [tokenHeader] : tokenHeader).map(
				(name) => name.toLowerCase(),
			),
		],
	};
}
