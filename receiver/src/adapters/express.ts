import type { IncomingMessage, ServerResponse } from "node:http";
import type { Receiver } from "../receiver.ts";
import { toNodeHandler } from "./node.ts";

/**
 * Mounts a receiver on an Express route. Mount it before any body parser if you can. Behind a parser it uses the raw body. The parsed
 * object alone is refused if the token names the hash of the body (docs/receiver.md).
 *
 * @example
 * app.all("/hook", toExpress(receiver));
 */
export function toExpress(
	receiver: Receiver,
): (req: IncomingMessage, res: ServerResponse) => Promise<void> {
	return toNodeHandler(receiver);
}
