import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { ApiError } from "@partnerwire/contract";
import type { H3 } from "h3";
import { serve } from "h3";
import { withoutPort } from "../http/counted-address.ts";
import { MAX_BODY_BYTES } from "../http/read-input.ts";

export interface Listening {
	readonly url: string;
	close(): Promise<void>;
}

/** How long an idle connection is kept. Usual proxies keep theirs for 60 s, and must be the ones that close it. */
const KEEP_ALIVE_MS = 65_000;
/** A request that takes longer than this to arrive is cut off. */
const REQUEST_TIMEOUT_MS = KEEP_ALIVE_MS + 1_000;
/** A client that has not read any of an answer for so long is cut off. Shorter would end connections on which no request came yet. */
const STALLED_MS = REQUEST_TIMEOUT_MS;

export interface ListenOptions {
	readonly port: number;
	readonly host: string;
	/** Addresses of proxies. For requests through them, `X-Forwarded-For` names the caller. */
	readonly trustProxy?: readonly string[] | undefined;
	readonly stalledMs?: number;
	/** Called if a connection could not be accepted, for example because no file descriptor is left. */
	readonly onFault?: (error: unknown) => void;
}

/** Serves an app on h3's own node server; port 0 takes a free one. Rejects when the port is in use. */
export async function listen(
	app: H3,
	{
		port,
		host,
		trustProxy = [],
		stalledMs = STALLED_MS,
		onFault = () => {},
	}: ListenOptions,
): Promise<Listening> {
	const server = serve(app, {
		port,
		hostname: host,
		silent: true,
		maxRequestBodySize: MAX_BODY_BYTES,
		gracefulShutdown: false,
		trustProxy: trustProxy.length > 0 && [...trustProxy],
		node: {
			requestTimeout: REQUEST_TIMEOUT_MS,
			headersTimeout: REQUEST_TIMEOUT_MS,
			keepAliveTimeout: KEEP_ALIVE_MS,
		},
	});
	const { server: node } = server.node ?? {};
	node?.on("clientError", refuse);
	node?.setTimeout(stalledMs);
	node?.on("request", (_request, response: ServerResponse) => {
		// The answer may take its time: the socket is idle then too, but nothing waits in it.
		response.on("timeout", (socket: Socket) => {
			if (socket.writableLength > 0) socket.destroy();
		});
	});
	// The server compares each entry with the trusted addresses as it stands, and some proxies write ports.
	if (trustProxy.length > 0)
		node?.prependListener("request", ({ headers }) => {
			const entries = headers["x-forwarded-for"];
			if (entries === undefined) return;
			headers["x-forwarded-for"] = String(entries)
				.split(",")
				.map((entry) => withoutPort(entry.trim()))
				.join(", ");
		});
	await server.ready();
	// The server goes on listening. Without this listener the error would end the process.
	node?.on("error", onFault);
	return {
		url: (server.url ?? `http://${host}:${port}`).replace(/\/$/, ""),
		close: () => server.close(true),
	};
}

const REFUSALS: Readonly<Record<string, string>> = {
	HPE_HEADER_OVERFLOW: "the headers are too large",
	ERR_HTTP_REQUEST_TIMEOUT: "the request was not complete in time",
};

/** Answers requests that node's parser refuses, in the contract's envelope too. No app sees them. */
function refuse({ code = "" }: NodeJS.ErrnoException, socket: Duplex): void {
	if (code === "ECONNRESET" || !socket.writable) {
		socket.destroy();
		return;
	}
	const error = new ApiError(
		"validation_error",
		REFUSALS[code] ?? "the request is not valid HTTP",
	);
	const body = JSON.stringify(error.toBody());
	socket.end(
		[
			`HTTP/1.1 ${error.status} Bad Request`,
			"content-type: application/json",
			`content-length: ${Buffer.byteLength(body)}`,
			"connection: close",
			"",
			body,
		].join("\r\n"),
	);
}
