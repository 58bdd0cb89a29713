import type { IncomingMessage, ServerResponse } from "node:http";
import type { Receiver } from "../receiver.ts";
import { toNodeHandler } from "./node.ts";

/**
 * Mounts a receiver on an Express route. Mount it before any body parser if you can. Behind a parser it uses the raw body, or else the
 * parsed object.
 *
 * @example
 * app.all("/hook", toExpress(receiver));
 */
export function toExpress(
	receiver: Receiver,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
	return toNodeHandler(receiver);
}
