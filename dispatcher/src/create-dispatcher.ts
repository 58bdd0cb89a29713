import type { EventId, PayloadKeyOf, Payloads } from "@partnerwire/wire";
import { createWire, type Wire, type WireOptions } from "./http/wire.ts";
import { withoutUndefined } from "./http/with-defaults.ts";
import { type SendOptions, type SendResult, send } from "./send.ts";
import {
	ClosedError,
	type RetriedSendResult,
	type RetryOptions,
	sendWithRetry,
} from "./send-with-retry.ts";
import { checkTokenLifetime } from "./sign/claims.ts";

type Shared = Pick<
	SendOptions,
	| "url"
	| "secret"
	| "companyUuid"
	| "configuration"
	| "apiKey"
	| "externalSettings"
	| "tokenLifetimeS"
	| "payloadSha256"
	| "clock"
>;

export interface DispatcherOptions extends Shared {
	/** False leaves the `jti` claim out of every token. */
	readonly jti?: false;
	/** Who acts, unless a call says otherwise. */
	readonly userUuid?: string;
	/** Attempts and delays of `emit`. */
	readonly retry?: RetryOptions;
	/** Connections to share with others, who then close them; without it `close()` closes its own. */
	readonly wire?: Wire;
	/** How to open its own connections. */
	readonly wireOptions?: WireOptions;
}

/** What one event may say for itself. */
export interface EventOptions
	extends Pick<SendOptions, "sequence" | "configuration"> {
	readonly userUuid?: string;
	/** The delivery's uuid, a fresh one by default. */
	readonly jti?: string;
}

export interface EmitOptions extends EventOptions {
	/** Stops further attempts. */
	readonly signal?: AbortSignal;
}

/** Signs and sends events to one endpoint; the payload's type follows from the event id. */
export interface Dispatcher {
	/** One attempt. Resolves whatever the receiver does: look at `delivered`. */
	send<Id extends EventId>(
		event: Id,
		entity: Payloads[PayloadKeyOf<Id>],
		options?: EventOptions,
	): Promise<SendResult>;
	/** Attempts until it is delivered or given up, all with the same bytes and `jti`. */
	emit<Id extends EventId>(
		event: Id,
		entity: Payloads[PayloadKeyOf<Id>],
		options?: EmitOptions,
	): Promise<RetriedSendResult>;
	/**
	 * Lets attempts in flight end and makes no others: an `emit` that waits for its next one resolves with its last. Then
	 * closes the connections.
	 */
	close(): Promise<void>;
}

/**
 * Opens a dispatcher for those who only want to sign and POST: one endpoint, kept-alive connections, retries in this
 * process, no database. Must be closed. Retries that survive a restart are the worker's.
 *
 * @example
 * const dispatcher = createDispatcher({ url, secret, companyUuid, userUuid });
 * const { delivered } = await dispatcher.emit("lead_created", lead);
 * await dispatcher.close();
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
	const { retry, wireOptions, wire: given, ...shared } = options;
	checkTokenLifetime(shared.tokenLifetimeS);
	const wire = given ?? createWire(wireOptions);
	const emitting = new Set<AbortController>();
	let isClosed = false;

	const toSendOptions = <Id extends EventId>(
		event: Id,
		entity: Payloads[PayloadKeyOf<Id>],
		{ userUuid = shared.userUuid, ...own }: EventOptions = {},
	): SendOptions<Id> => {
		if (isClosed) throw new Error("the dispatcher is closed");
		if (userUuid === undefined)
			throw new TypeError(
				"userUuid is missing: it is a required claim of every token",
			);
		return {
			...shared,
			...withoutUndefined(own),
			event,
			entity,
			userUuid,
			wire,
		};
	};

	return {
		send: async (event, entity, own) => send(toSendOptions(event, entity, own)),
		async emit(event, entity, { signal = retry?.signal, ...own } = {}) {
			const sendOptions = toSendOptions(event, entity, own);
			signal?.throwIfAborted();
			const stopping = new AbortController();
			const onAbort = () => stopping.abort(signal?.reason);
			signal?.addEventListener("abort", onAbort);
			emitting.add(stopping);
			try {
				const retryOptions = { ...retry, signal: stopping.signal };
				return await sendWithRetry(sendOptions, retryOptions);
			} finally {
				emitting.delete(stopping);
				signal?.removeEventListener("abort", onAbort);
			}
		},
		async close() {
			isClosed = true;
			for (const stopping of emitting)
				stopping.abort(new ClosedError("the dispatcher is closed"));
			if (!given) await wire.close();
		},
	};
}
