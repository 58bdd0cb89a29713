import type { WebhookClaims } from "@partnerwire/wire";
import type { ReadLimits } from "./body/read-body.ts";
import { ReceiverConfigError } from "./common/config-error.ts";
import type { EventContext } from "./common/context-types.ts";
import type { PermanentFailure } from "./common/permanent-failure.ts";
import type { Observation } from "./common/verdict.ts";
import type { DedupStore } from "./dedupe/dedup-store.ts";
import { memoryStore } from "./dedupe/memory-store.ts";
import type { Explain } from "./explain.ts";
import { toEntry } from "./handle/tell.ts";
import type { Inbox } from "./inbox/inbox.ts";
import { CLAIM_LIMITS } from "./verify/claims.ts";
import { isUuidSecret, parseSecrets } from "./verify/secrets.ts";
import type { VerifyOptions } from "./verify/verify.ts";

/** An authenticated event that no handler took: an id without a handler, or one that this version does not know. */
export interface UnhandledEvent {
	eventId: string;
	claims: WebhookClaims;
	body: Record<string, unknown>;
}

/** The options of `createReceiver`; only the secret is required. */
export interface ReceiverOptions extends VerifyOptions, Partial<ReadLimits> {
	/** Where deliveries are recognised; a memory store by default, `false` for none. */
	dedup?: DedupStore | false;
	/**
	 * Keeps events before they are acknowledged, and runs the handlers from there; `sqliteInbox(path)` of `/sqlite`, or `postgresInbox` of
	 * `/postgres`. It recognises duplicates itself.
	 */
	inbox?: Inbox;
	/** Says that the sender gets its answer before the handlers run: what an inbox does, and nothing else can do safely (case G02). */
	ackFirst?: boolean;
	/** What happens when the store is down: `open` runs the handler without it, `closed` answers 503 (case F09). */
	onStoreError?: "open" | "closed";
	/** What a store that is down or hangs may cost one delivery. */
	storeTimeoutMs?: number;
	/** How long a payload is remembered: by default 30 h, the retry schedule's largest gap being 28.8 h (decisions §2). */
	dedupTtlMs?: number;
	/** How long a claim holds if its process dies; must exceed the deadline (case F03). */
	leaseMs?: number;
	/** When the sender is told to try again; it waits 10 s. */
	deadlineMs?: number;
	/** Refuses a body that the token's `payload_sha256` does not bind (case A01). */
	requireBodyBinding?: boolean;
	/** What happens when a token comes again with another body: a flag for the handler, or 401 (case D12). */
	onTokenReuse?: "flag" | "reject";
	/** `strict` refuses bodies with `issues`; `lenient` lists them for the handler (case G07). */
	schema?: "lenient" | "strict";
	/** Handles the events of one record one after the other, in this process (case G13). */
	serialize?: boolean;
	/** Headers to look for a token in beside Authorization, such as `x-forwarded-authorization` (case B08). */
	tokenHeader?: string | readonly string[];
	/** Answers GET, HEAD and OPTIONS with 204, for services that probe the URL (case G11). */
	probe?: boolean;
	/**
	 * Development only: says why a token was refused, in the log and in the 401's body; never changes the verdict. Without Node's
	 * modules, give `explain` of `@partnerwire/receiver/explain` instead of true: it is left out of bundles that do not name it.
	 */
	explain?: boolean | Explain;
	/** Told of every answer; refusals are lines of the log as well, one a second for each reason. */
	onVerdict?: (observation: Observation) => void;
	/**
	 * Told what a handler, a store, a secret lookup or another callback threw, with the handler's context where it was one; then
	 * nobody else is. Without it such an error goes to `console.error`, with its stack and cause. The log and the answer never hold it.
	 */
	onError?: (error: unknown, context?: EventContext) => unknown;
	/** Keeps the events that a handler gave up on with `PermanentFailure`; if it throws, the sender tries again. */
	onDeadLetter?: (failure: PermanentFailure, context: EventContext) => unknown;
	/** Told of every event that no handler took. */
	onUnhandled?: (event: UnhandledEvent) => void;
}

/** The options with every default filled in. */
export type ResolvedOptions = ReceiverOptions &
	Required<
		Omit<
			ReceiverOptions,
			| "secret"
			| "dedup"
			| "inbox"
			| "ackFirst"
			| "tokenHeader"
			| "onVerdict"
			| "onError"
			| "onDeadLetter"
			| "onUnhandled"
		>
	> & {
		tokenHeaders: readonly string[];
		/** Was a log given? Else what goes to the error output need not be logged there as well. */
		hasLog: boolean;
	};

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
	onTokenReuse: "flag",
	schema: "lenient",
	serialize: false,
	probe: false,
	explain: false,
} as const;

/** A claim outlives the deadline by this much, so that only a dead process's claim is ever taken over. */
const LEASE_MARGIN_MS = 6_000;

/** The options that are numbers are those with a unit in their name. */
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
	if (!parseSecrets(options.secret).every(isUuidSecret))
		log("A secret is not a UUID: is it the integration_uuid?");
}

/** Resolves the options once, at the top; everything that cannot work throws here and not at the first request (cases E01–E06). */
export function resolveOptions(options: ReceiverOptions): ResolvedOptions {
	checkOptions(options);
	const given = Object.fromEntries(
		Object.entries(options).filter(([, value]) => value !== undefined),
	) as unknown as ReceiverOptions;
	const deadlineMs = given.deadlineMs ?? DEFAULTS.deadlineMs;
	const leaseMs = given.leaseMs ?? deadlineMs + LEASE_MARGIN_MS;
	if (leaseMs <= deadlineMs) refuse("leaseMs must be more than deadlineMs.");
	const write = given.log ?? ((message: string) => console.warn(message));
	const log = (message: string) => write(toEntry(message, given));
	warnOfSecret(given, log);
	const { tokenHeader = [] } = given;
	return {
		...DEFAULTS,
		...(!given.inbox && { dedup: memoryStore() }),
		...given,
		leaseMs,
		log,
		hasLog: given.log !== undefined,
		tokenHeaders: [
			"authorization",
			...(typeof tokenHeader === "string" ? [tokenHeader] : tokenHeader).map(
				(name) => name.toLowerCase(),
			),
		],
	};
}
