import { request } from "node:http";
import type { Socket } from "node:net";
import { CutError } from "../attempt-handler.ts";
import { USER_AGENT } from "../user-agent.ts";

export interface AskOptions {
	readonly timeoutMs: number;
	readonly signal: AbortSignal;
}

/**
 * The status with which a server answers a HEAD request over an open connection: the method that promises to change nothing.
 * The connection is closed. Rejects for what the network or the server does.
 */
export function ask(
	{ host, pathname, search }: URL,
	socket: Socket,
	{ timeoutMs, signal }: AskOptions,
): Promise<number> {
	return new Promise<number>((resolve, reject) => {
		const asking = request({
			method: "HEAD",
			path: pathname + search,
			headers: { host, "user-agent": USER_AGENT, connection: "close" },
			createConnection: () => socket,
			signal,
		});
		const finish = (settle: () => void) => {
			clearTimeout(timer);
			settle();
			socket.destroy();
		};
		// Settled here: a request whose socket is gone tells nobody that it was destroyed.
		const timer = setTimeout(
			() => finish(() => reject(new CutError("ANSWER_TIMEOUT"))),
			timeoutMs,
		);
		asking.on("response", ({ statusCode = 0 }) =>
			finish(() => resolve(statusCode)),
		);
		// An answer of 101 is no `response`.
		asking.on("upgrade", ({ statusCode = 0 }) =>
			finish(() => resolve(statusCode)),
		);
		asking.on("error", (error) => finish(() => reject(error)));
		asking.end();
	});
}
