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
	| "standardWebhooks"
	| "clock"
>;

export interface DispatcherOptions extends Shared {
	/** False leaves the `jti` claim out of every token. */
	readonly jti?: false;
	/** The user who acts, by default. */
	readonly userUuid?: string;
	/** Attempts and delays of `emit`. */
	readonly retry?: RetryOptions;
	/** A wire that others share and close. Without it the dispatcher opens its own, and `close()` closes it. */
	readonly wire?: Wire;
	/** The options of its own wire. */
	readonly wireOptions?: WireOptions;
}

/** The options of one event. */
export interface EventOptions
	extends Pick<SendOptions, "sequence" | "configuration"> {
	readonly userUuid?: string;
	/** The delivery's uuid. By default a new one. */
	readonly jti?: string;
}

export interface EmitOptions extends EventOptions {
	/** Stops further attempts. */
	readonly signal?: AbortSignal;
}

/** Signs and sends events to one endpoint. The payload's type follows from the event id. */
export interface Dispatcher {
	/** Makes one attempt. Resolves whatever the receiver does: check `delivered`. */
	send<Id extends EventId>(
		event: Id,
		entity: Payloads[PayloadKeyOf<Id>],
		options?: EventOptions,
	): Promise<SendResult>;
	/** Makes attempts until the event is delivered or given up, all with the same bytes and `jti`. */
	emit<Id extends EventId>(
		event: Id,
		entity: Payloads[PayloadKeyOf<Id>],
		options?: EmitOptions,
	): Promise<RetriedSendResult>;
	/**
	 * Waits for the attempts in flight and makes no others. An `emit` that waits for its next attempt resolves with its last one. Then
	 * closes the connections.
	 */
	close(): Promise<void>;
}

/**
 * Opens a dispatcher that only signs and POSTs: one endpoint, kept-alive connections, retries in this process, no database. Must be
 * closed. For retries that survive a restart, use the worker.
 *
 * @example
 * const dispatcher = createDispatcher({ url, secret, companyUuid, userUuid });
 * const { delivered } = await dispatcher.emit("lead_created", lead);
 * await dispatcher.close();
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
	const { retry, wireOptions, wire: sharedWire, ...shared } = options;
	checkTokenLifetime(shared.tokenLifetimeS);
	const wire = sharedWire ?? createWire(wireOptions);
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
			if (!sharedWire) await wire.close();
		},
	};
}
