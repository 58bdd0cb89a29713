import type { IncomingMessage } from "node:http";
import {
	type BodySource,
	bodyOfRequest,
	fromRequest,
} from "../common/incoming.ts";
import { toResponse } from "../common/verdict.ts";
import type { Receiver } from "../receiver.ts";
import { bodyOfMessage } from "./node-message.ts";

/** The part of a Hono context that the receiver needs. */
export interface HonoContextLike {
	req: {
		raw: Request;
		bodyCache: object;
		arrayBuffer(): Promise<ArrayBuffer>;
	};
	env?: unknown;
}

/** Finds the body, also if a validator or a middleware has read it: Hono caches what it reads. */
function bodyOfContext({ req, env }: HonoContextLike): BodySource {
	if (Object.keys(req.bodyCache).length > 0)
		return {
			kind: "stream",
			read: () =>
				req.arrayBuffer().then(
					(buffer) => new Uint8Array(buffer),
					() => "BODY_ALREADY_READ",
				),
			cancel: () => {},
		};
	const message = (env as { incoming?: IncomingMessage } | undefined)?.incoming;
	const source = message ? bodyOfMessage(message) : undefined;
	return source && source.kind !== "stream" ? source : bodyOfRequest(req.raw);
}

/**
 * Mounts a receiver on a Hono route, on any runtime that Hono runs on.
 *
 * @example
 * app.all("/hook", toHono(receiver));
 */
export function toHono(
	receiver: Receiver,
): (context: HonoContextLike) => Promise<Response> {
	return async (context) => {
		const { raw } = context.req;
		const incoming = fromRequest(raw, () => bodyOfContext(context));
		return toResponse(await receiver.handle(incoming), raw.method);
	};
}
