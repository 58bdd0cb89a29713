import {
	createServer,
	type IncomingMessage,
	type RequestListener,
} from "node:http";
import { type Listener, listen } from "listhen";
import { takeFault } from "../faults.ts";
import { toListenError } from "./listen-error.ts";

export interface DevListenerOptions {
	readonly name: string;
	/** 0 takes a free port. */
	readonly port: number;
	readonly path: string;
	/** Serves HTTPS with a self-signed certificate. */
	readonly https?: boolean;
}

/** A listener for local work, by listhen, which can make a self-signed certificate. Rejects if the port is in use. */
export async function openDevListener(
	handler: RequestListener,
	options: DevListenerOptions,
): Promise<Listener> {
	const { name, port, path, https = false } = options;
	if (port !== 0) await refusePortInUse(port);
	const keeping: RequestListener = (request, response) => {
		keepSocket(request);
		return handler(request, response);
	};
	const listener = await listen(keeping, {
		name,
		port:
			port === 0
				? { random: true, host: "127.0.0.1" }
				: { port, host: "127.0.0.1" },
		hostname: "127.0.0.1",
		baseURL: path,
		// listhen's banner mentions a --host flag, which these commands do not have.
		showURL: false,
		https,
		autoClose: false,
		isProd: false,
		isTest: false,
		public: false,
		qr: false,
	});
	// The server goes on listening if a connection could not be accepted.
	listener.server.on("error", takeFault);
	return listener;
}

/** listhen would silently take another port if the given one is in use. */
function refusePortInUse(port: number): Promise<void> {
	const host = "127.0.0.1";
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once("error", (error) =>
			reject(toListenError(error, { host, port })),
		);
		probe.listen({ host, port }, () => probe.close(() => resolve()));
	});
}

/** When an answer ends, listhen (http-shutdown) marks the request's socket. A cut request has none, and the process ended. */
function keepSocket(request: IncomingMessage): void {
	const { socket } = request;
	Object.defineProperty(request, "socket", {
		configurable: true,
		get: () => socket,
		set: () => {},
	});
}
