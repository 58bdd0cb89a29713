import { secretsOf } from "../sign/mask-claims.ts";
import {
	type SignedRequest,
	seal,
	type UnsignedRequest,
} from "../sign/seal.ts";
import { createSigners } from "../sign/signer.ts";
import { spellingsOf } from "./answers/mask-secrets.ts";
import { AttemptHandler, type AttemptHooks } from "./attempt-handler.ts";
import type { AttemptResult } from "./attempt-result.ts";
import { checkWireOptions } from "./check-wire-options.ts";
import type { Resolve } from "./connections/connection.ts";
import { createTrust } from "./connections/connector.ts";
import type { OriginPool, OriginPools } from "./connections/origin-pools.ts";
import { CutError } from "./cut-error.ts";
import { createDeadlines } from "./deadlines.ts";
import { resolveHost } from "./dns/resolve-host.ts";
import {
	createAddressCheck,
	type NetworkPolicy,
} from "./guard/network-policy.ts";
import { createTargets, type Target } from "./guard/targets.ts";
import { createLinkedList } from "./linked-list.ts";
import { toUnanswered } from "./unanswered.ts";
import { USER_AGENT } from "./user-agent.ts";
import { withDefaults } from "./with-defaults.ts";

/** The options of a wire. The defaults are those of docs/decisions.md#acknowledged and docs/decisions.md#urls. */
export interface WireOptions extends Partial<NetworkPolicy> {
	/** The limit for DNS, TCP and TLS together. */
	readonly connectTimeoutMs?: number;
	/** The limit from sending the request to the end of the answer. */
	readonly answerTimeoutMs?: number;
	/** The number of connections to each origin. Further attempts wait for one. */
	readonly connections?: number;
	/** The number of origins whose connections are kept. Beyond it, idle ones are closed. */
	readonly maxOrigins?: number;
	/** Certificate authorities (PEM) trusted besides the usual ones. */
	readonly ca?: string | readonly string[];
	readonly clock?: () => number;
	readonly resolve?: Resolve;
}

/** The webhook to send. If it is not signed yet, the wire signs it. */
export type AttemptRequest = SignedRequest | UnsignedRequest;

/** Sends webhooks, one attempt at a time. */
export interface Wire {
	/** Makes exactly one attempt. Never rejects because of the network or the receiver. */
	attempt(request: AttemptRequest): Promise<AttemptResult>;
	/** The longest time of an attempt, once it has a connection or opens one. A lease must be longer. */
	readonly maxAttemptMs: number;
	/**
	 * Waits for the attempts in flight, at most for `graceMs`. The others are cut short and fail with class `aborted`. If it is called
	 * several times, the shortest grace period counts.
	 */
	close(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Opens a wire, the HTTP client that sends the attempts. It has a pool of kept-alive connections for each origin. Must be closed.
 *
 * @example
 * const wire = createWire();
 * const { delivered, failure } = await wire.attempt({ url, token, body });
 */
export function createWire(options: WireOptions = {}): Wire {
	const o = withDefaults(options, {
		connectTimeoutMs: 10_000,
		answerTimeoutMs: 10_000,
		connections: 64,
		maxOrigins: 256,
		allowHttp: false,
		allowPrivate: false,
		allowedNetworks: [],
		clock: () => Date.now(),
		resolve: resolveHost,
	});
	checkWireOptions(o);
	const targetOf = createTargets(o);
	const signerOf = createSigners();
	const connecting = new AbortController();
	const poolOptions = {
		signal: connecting.signal,
		checkAddress: createAddressCheck(o),
		resolve: o.resolve,
		timeoutMs: o.connectTimeoutMs,
		secureContext: createTrust(o.ca),
		connections: o.connections,
		maxOrigins: o.maxOrigins,
	};
	let pools: Promise<OriginPools> | undefined;
	/** The first attempt loads undici, which would be a tenth of a service's start. The service sends from a thread. */
	const openPools = async () => {
		const { createOriginPools } = await import("./connections/origin-pools.ts");
		return createOriginPools(poolOptions);
	};
	const inFlight = createLinkedList<AttemptHandler>();
	const deadlines = createDeadlines<AttemptHandler>(
		o.answerTimeoutMs,
		(handler) => handler.cut(new CutError("ANSWER_TIMEOUT")),
	);
	let isClosed = false;
	let onIdle: (() => void) | undefined;
	let closing: Promise<void> | undefined;

	const run = (
		pool: OriginPool,
		{ path }: Target,
		{ token, body, claims, secrets: others = [], headers }: SignedRequest,
	) =>
		new Promise<AttemptResult>((resolve, reject) => {
			const start = { clockMs: o.clock(), monotonicMs: performance.now() };
			const request = {
				path,
				method: "POST" as const,
				headers: [
					"content-type",
					"application/json",
					"authorization",
					`Bearer ${token}`,
					"user-agent",
					USER_AGENT,
					...(headers ? Object.entries(headers).flat() : []),
				],
				body,
			};
			const spellings = spellingsOf([
				...others,
				...(claims ? secretsOf(claims) : []),
			]);
			let isRetry = false;
			const hooks: AttemptHooks = {
				onSent(handler, nowMs) {
					handler.deadline = deadlines.add(handler, nowMs);
				},
				onEnd(handler) {
					if (handler.deadline) deadlines.delete(handler.deadline);
					if (handler.place) inFlight.remove(handler.place);
					if (!isRetry && handler.wasResetOnReuse) {
						isRetry = true;
						const second = new AttemptHandler(hooks, spellings, token);
						second.place = inFlight.add(second);
						pool.dispatchFresh(request, second);
						return;
					}
					pool.running--;
					try {
						resolve(handler.toResult(start, isRetry));
					} catch (error) {
						// Reject: a thrown error would end the thread, or the attempt would never end.
						reject(error);
					}
					if (isClosed && inFlight.size === 0) onIdle?.();
				},
			};
			const handler = new AttemptHandler(hooks, spellings, token);
			pool.running++;
			handler.place = inFlight.add(handler);
			pool.dispatch(request, handler);
			// The grace period ended while undici was being loaded.
			if (connecting.signal.aborted) handler.cut(new CutError("ABORTED"));
		});

	const cutAll = () => {
		for (const handler of inFlight) handler.cut(new CutError("ABORTED"));
		connecting.abort();
	};
	const closeOnce = async () => {
		const opened = await pools;
		if (inFlight.size > 0)
			await new Promise<void>((resolve) => {
				onIdle = resolve;
			});
		deadlines.clear();
		await opened?.close();
	};

	return {
		async attempt(request) {
			if (isClosed) throw new Error("the wire is closed");
			const target = targetOf(request.url);
			if (target.refusal) return toUnanswered(target.refusal, o.clock());
			const signed =
				"token" in request ? request : seal(request, signerOf(request.secret));
			pools ??= openPools();
			return run((await pools).take(target.origin), target, signed);
		},
		maxAttemptMs: 2 * (o.connectTimeoutMs + o.answerTimeoutMs),
		async close({ graceMs } = {}) {
			isClosed = true;
			const timer =
				graceMs === undefined ? undefined : setTimeout(cutAll, graceMs);
			closing ??= closeOnce();
			await closing.finally(() => clearTimeout(timer));
		},
	};
}
