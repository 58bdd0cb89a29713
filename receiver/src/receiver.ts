import type { Handler, HandlerFor } from "./common/context-types.ts";
import { type EventSelector, parseSelector } from "./common/events.ts";
import { fromRequest, type Incoming } from "./common/incoming.ts";
import { toResponse, type Verdict } from "./common/verdict.ts";
import { type ReceiverOptions, resolveOptions } from "./options.ts";
import { createPipeline } from "./pipeline.ts";
import type { Awaitable } from "./verify/platform-crypto.ts";

/** Receives webhooks. Register handlers with `on`, then give your server `fetch` or the adapter of a subpath. */
export interface Receiver {
	/** Registers a handler for an event, several, a group (`"Lead"`) or all (`"*"`). All that match run, in this order. */
	on<const Selector extends EventSelector | readonly EventSelector[]>(
		selector: Selector,
		handler: HandlerFor<Selector>,
	): Receiver;
	/** Answers a web `Request`. It needs no `this`, so `export default { fetch: receiver.fetch }` works. */
	readonly fetch: (request: Request) => Promise<Response>;
	/** Answers a request that an adapter has converted. Never rejects. */
	readonly handle: (incoming: Incoming) => Promise<Verdict>;
	/** Forgets a payload, so that it runs again. Resolves to the number of removed records. */
	readonly forget: (fingerprint: string) => Promise<number>;
	/** Closes the inbox: it takes no more events and waits for the handlers that run. Without an inbox it does nothing. */
	readonly close: () => Promise<void>;
}

/**
 * Creates a receiver.
 *
 * @example
 * const receiver = createReceiver({ secret: process.env.PARTNERWIRE_WEBHOOK_SECRET }).on("lead_created", async ({ lead, uniqueKey }) => {
 *   await crm.upsert(uniqueKey, lead);
 * });
 */
export function createReceiver(options: ReceiverOptions): Receiver {
	const o = resolveOptions(options);
	const handlers = new Map<string, Handler[]>();
	const handle = createPipeline(o, handlers);
	const receiver: Receiver = {
		on(selector, handler) {
			for (const id of parseSelector(selector)) {
				const list = handlers.get(id) ?? [];
				// Registered under the very ids that the handler's type was made from.
				list.push(handler as Handler);
				handlers.set(id, list);
			}
			return receiver;
		},
		fetch: async (request) =>
			toResponse(await handle(fromRequest(request)), request.method),
		handle,
		forget: async (fingerprint) => {
			const store = o.inbox ?? o.dedup;
			const removed: Awaitable<number> = store ? store.forget(fingerprint) : 0;
			return removed;
		},
		close: async () => o.inbox?.close(),
	};
	return receiver;
}
