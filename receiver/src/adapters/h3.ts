import type { IncomingMessage } from "node:http";
import { fromRequest } from "../common/incoming.ts";
import { toResponse } from "../common/verdict.ts";
import type { Receiver } from "../receiver.ts";
import { fromMessage } from "./node-message.ts";

/** The part of an h3 v2 event that the receiver needs. */
export interface H3EventLike {
	req: Request;
	runtime?: { node?: { req: unknown } } | undefined;
}

/**
 * Mounts a receiver on an h3 v2 route. On Node it reads the Node request: if a body parser of an outer app has read the body, the web
 * request has lost it, but the Node request may still have the parser's result.
 *
 * @example
 * app.all("/hook", toH3Handler(receiver));
 */
export function toH3Handler(
	receiver: Receiver,
): (event: H3EventLike) => Promise<Response> {
	return async (event) => {
		const message = event.runtime?.node?.req as IncomingMessage | undefined;
		const incoming = message ? fromMessage(message) : fromRequest(event.req);
		return toResponse(await receiver.handle(incoming), event.req.method);
	};
}
