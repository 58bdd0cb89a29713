import type { Socket } from "node:net";
import type { Connection } from "./connection.ts";
import { CutError } from "./cut-error.ts";

/** What is read until an answer's head is complete, interim answers before it included. */
export const HEAD_BYTES = 16 * 1024;
/** What is read after it: of its body, chunk framing and trailers. */
export const BODY_BYTES = 64 * 1024;

/**
 * Bounds what undici takes from a socket. Its own limits are on what it has parsed: interim answers, a reason phrase or a
 * chunk's extension could go on for ever. It reads in a loop until there is nothing more, so that every byte comes through
 * here, and the parser is given no byte more than `unread` tells.
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
	// What nobody asked for ends an idle connection silently: the next request opens another one.
	else if (uses > 0) socket.destroy();
	// The request fails of a server that speaks first: else it would wait for one connection after the other.
	else socket.destroy(new CutError("UNASKED"));
	return null;
}
