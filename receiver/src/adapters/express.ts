import type { IncomingMessage, ServerResponse } from "node:http";
import type { Receiver } from "../receiver.ts";
import { toNodeHandler } from "./node.ts";

/**
 * Mounts a receiver on an Express route. Best before any body parser; behind one, the raw body, or the object that it made, is
 * taken (case A01).
 *
 * @example
 * app.all("/hook", toExpress(receiver));
 */
export function toExpress(
	receiver: Receiver,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
	return toNodeHandler(receiver);
}
