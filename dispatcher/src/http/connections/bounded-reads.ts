import type { Socket } from "node:net";
import { CutError } from "../cut-error.ts";
import type { Connection } from "./connection.ts";

/** The limit on the bytes of an attempt's answer: interim answers, head, body, chunk framing and trailers together. */
export const ANSWER_BYTES = 64 * 1024;

/**
 * Bounds the bytes that undici reads from a socket (docs/decisions.md#bounds-of-an-answer). undici limits only what it has parsed:
 * interim answers, a reason phrase or a chunk's extension could be endless. undici reads in a loop until there is nothing more. So
 * every byte passes here, and the parser gets at most `unread` bytes.
 */
export function boundReads(socket: Socket, connection: Connection): void {
	const read: () => Buffer | null = socket.read.bind(socket);
	let rest: Buffer | null = null;
	socket.read = () => {
		const { unread, isAsked, statusLines } = connection;
		if (unread === 0 && isAsked) return refuseMore(socket, connection);
		const chunk = rest ?? read();
		rest = null;
		if (chunk === null) return null;
		if (unread === 0) return refuseMore(socket, connection);
		const taken = chunk.subarray(0, unread);
		if (chunk.length > unread) rest = chunk.subarray(unread);
		connection.unread = unread - taken.length;
		statusLines.read(taken);
		return taken;
	};
}

function refuseMore(socket: Socket, { isAsked, uses }: Connection): null {
	if (isAsked) socket.destroy(new CutError("ANSWER_TOO_LARGE"));
	// Bytes on an idle connection end it silently. The next request opens another one.
	else if (uses > 0) socket.destroy();
	// If a server speaks first, the request fails. Otherwise it would open one connection after the other.
	else socket.destroy(new CutError("UNASKED"));
	return null;
}
