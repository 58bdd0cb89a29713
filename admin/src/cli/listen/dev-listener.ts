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

/** A listener for local work, by listhen: HTTPS with a self-signed certificate where asked for. Rejects when the port is in use. */
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
		// Its banner tells of a --host flag that these commands do not have.
		showURL: false,
		https,
		autoClose: false,
		isProd: false,
		isTest: false,
		public: false,
		qr: false,
	});
	// It goes on listening when a connection could not be taken.
	listener.server.on("error", takeFault);
	return listener;
}

/** listhen silently takes another port when the given one is in use. */
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

/** When an answer ends, listhen (http-shutdown) marks the request's socket; a request that was cut off has lost it, and that ended the process. */
function keepSocket(request: IncomingMessage): void {
	const { socket } = request;
	Object.defineProperty(request, "socket", {
		configurable: true,
		get: () => socket,
		set: () => {},
	});
}
