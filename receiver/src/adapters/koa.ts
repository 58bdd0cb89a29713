/* `@partnerwire/receiver/koa`: Koa. */
import type { IncomingMessage } from "node:http";
import type { Receiver } from "../receiver.ts";
import { fromMessage, type ParsedRequest } from "./node-message.ts";

/** The part of a Koa context that the receiver needs. */
export interface KoaContextLike {
	req: IncomingMessage;
	/** Body parsers keep the raw body and their object here, not on the Node request. */
	request: object;
	status: number;
	body: unknown;
	set(headers: Record<string, string>): void;
}

/**
 * A Koa middleware that answers every request with a receiver. Mount it on a route, before any body parser if you can. Behind a parser
 * it uses the raw body that the parser kept (docs/receiver.md#behind-a-body-parser).
 *
 * @example
 * router.all("/hook", toKoa(receiver));
 */
export function toKoa(
	receiver: Receiver,
): (context: KoaContextLike) => Promise<void> {
	return async (context) => {
		const incoming = fromMessage(context.req, context.request as ParsedRequest);
		const { status, headers, body } = await receiver.handle(incoming);
		context.status = status;
		context.set({ ...headers });
		context.body = body;
	};
}
