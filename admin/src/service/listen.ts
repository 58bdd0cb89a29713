import type { H3 } from "h3";
import { serve } from "h3";
import { MAX_BODY_BYTES } from "../http/read-input.ts";

export interface Listening {
	readonly url: string;
	close(): Promise<void>;
}

/** A request that is not complete after this long is cut. */
const REQUEST_TIMEOUT_MS = 30_000;

/** Serves an app on h3's own node server; port 0 takes a free one. Rejects when the port is in use. */
export async function listen(
	app: H3,
	{ port, host }: { port: number; host: string },
): Promise<Listening> {
	const server = serve(app, {
		port,
		hostname: host,
		silent: true,
		maxRequestBodySize: MAX_BODY_BYTES,
		gracefulShutdown: false,
		node: {
			requestTimeout: REQUEST_TIMEOUT_MS,
			headersTimeout: REQUEST_TIMEOUT_MS,
		},
	});
	await server.ready();
	return {
		url: (server.url ?? `http://${host}:${port}`).replace(/\/$/, ""),
		close: () => server.close(true),
	};
}
