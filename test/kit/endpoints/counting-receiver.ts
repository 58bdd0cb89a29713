import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A receiver that counts requests by their `jti`, and records their bodies. */
export interface CountingReceiver {
	readonly url: string;
	/** The bodies by `jti`. Two for one `jti` would mean that the delivery's bytes have changed. */
	readonly bodies: ReadonlyMap<string, ReadonlySet<string>>;
	counts(): { events: number; requests: number };
	/** Resolves after this number of different events. */
	events(count: number): Promise<void>;
	/** Resolves after this number of requests. */
	requests(count: number): Promise<void>;
}

/** Starts a counting receiver. `answer` may hold a response back; without it, every answer is 200. */
export async function openCountingReceiver(
	answer: (response: ServerResponse) => void = (response) => {
		response.end("{}");
	},
): Promise<CountingReceiver> {
	const bodies = new Map<string, Set<string>>();
	const waiting = new Set<() => void>();
	let requests = 0;
	const server = createServer(async (request, response) => {
		const body = await text(request).catch(() => null);
		if (body === null) return;
		const [, payload = ""] = (request.headers.authorization ?? "").split(".");
		const { jti } = JSON.parse(Buffer.from(payload, "base64url").toString());
		bodies.set(jti, (bodies.get(jti) ?? new Set()).add(body));
		requests++;
		answer(response);
		for (const check of waiting) check();
	});
	server.keepAliveTimeout = 60_000;
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const until = (isThere: () => boolean) =>
		new Promise<void>((resolve) => {
			const check = () => {
				if (!isThere()) return;
				waiting.delete(check);
				resolve();
			};
			waiting.add(check);
			check();
		});
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
		bodies,
		counts: () => ({ events: bodies.size, requests }),
		events: (count) => until(() => bodies.size >= count),
		requests: (count) => until(() => requests >= count),
	};
}
