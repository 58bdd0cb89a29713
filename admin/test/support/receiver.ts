import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { jwtVerify } from "jose";
import { vi } from "vitest";

export interface Received {
	method: string | undefined;
	headers: IncomingHttpHeaders;
	/** The bytes, and what they say. */
	text: string;
	// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was sent.
	body: any;
}

/** A receiver on a real socket that keeps what it was sent, and answers as it is told. */
export async function openReceiver() {
	const requests: Received[] = [];
	let status: number | null = 200;
	const server = createServer(async (request, response) => {
		let text = "";
		for await (const chunk of request.setEncoding("utf8")) text += chunk;
		const { method, headers } = request;
		requests.push({ method, headers, text, body: JSON.parse(text) });
		if (status !== null) response.writeHead(status).end();
	});
	await new Promise<void>((resolve) =>
		server.listen(0, "127.0.0.1", () => resolve()),
	);
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/hook`,
		requests,
		/** With null it does not answer. */
		answerWith(next: number | null) {
			status = next;
		},
		/** All that was received, once there are at least so many. */
		received: (atLeast: number) =>
			vi.waitFor(
				() => {
					if (requests.length < atLeast)
						throw new Error(`${requests.length} of ${atLeast} webhooks came`);
					return requests;
				},
				{ timeout: 10_000, interval: 5 },
			),
		close() {
			server.closeAllConnections();
			return new Promise((resolve) => server.close(resolve));
		},
	};
}

export type TestReceiver = Awaited<ReturnType<typeof openReceiver>>;

/** Verifies the token of a request with jose, at the given time of the application clock. */
export function verifyToken(
	{ headers }: Received,
	secret: string,
	nowMs: number,
) {
	const token = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1] ?? "";
	return jwtVerify(token, new TextEncoder().encode(secret), {
		algorithms: ["HS256"],
		currentDate: new Date(nowMs),
	});
}
