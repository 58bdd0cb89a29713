import type { Socket } from "node:net";
import { CutError } from "../cut-error.ts";
import type { Connection } from "./connection.ts";

/** The limit on bytes up to the end of an answer's head, including interim answers. */
export const HEAD_BYTES = 16 * 1024;
/** The limit on bytes after the head: body, chunk framing and trailers. */
export const BODY_BYTES = 64 * 1024;

/**
 * Bounds the bytes that undici reads from a socket (docs/decisions.md#bounds-of-an-answer). undici limits only what it has parsed:
 * interim answers, a reason phrase or a chunk's extension could be endless. undici reads in a loop until there is nothing more. So
 * every byte passes here, and the parser gets at most `unread` bytes.
 */
export function boundReads(socket: Socket, connection: Connection): void {
	const read: () => Buffer | null = socket.read.bind(socket);
	let rest: Buffer | null = null;
	socket.read = () => {
		const chunk = rest ?? read();
		rest = null;
		if (chunk === null) return null;
		const { unread } = connection;
		if (unread === 0) return refuseMore(socket, connection);
		if (chunk.length <= unread) {
			connection.unread = unread - chunk.length;
			return chunk;
		}
		connection.unread = 0;
		rest = chunk.subarray(unread);
		return chunk.subarray(0, unread);
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
