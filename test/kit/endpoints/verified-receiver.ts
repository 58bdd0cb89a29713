import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { createReceiver, type Observation } from "@partnerwire/receiver";
import { toNodeHandler } from "@partnerwire/receiver/node";
import { onTestFinished } from "vitest";

/** A receiver of `@partnerwire/receiver` on a real socket. It records requests and answers. */
export interface VerifiedReceiver {
	readonly url: string;
	readonly arrived: Observation[];
	/** The entities of all events that its handler got, in order. */
	readonly handled: {
		eventId: string;
		uuid: string;
		sequence: number | undefined;
	}[];
	/** One secret, or several during a rotation. */
	useSecret(secret: string | readonly string[]): void;
	/** Resolves after this number of answered requests. */
	count(requests: number): Promise<void>;
	/** Sends a recorded request again, byte for byte. */
	repeat(index: number): Promise<Response>;
}

export async function openVerifiedReceiver(): Promise<VerifiedReceiver> {
	const arrived: Observation[] = [];
	const handled: VerifiedReceiver["handled"] = [];
	const requests: { authorization: string; body: Buffer }[] = [];
	const waiting = new Set<() => void>();
	let handle: ReturnType<typeof toNodeHandler> | undefined;

	const server = createServer(async (request, response) => {
		// A check of the webhook URL sends HEAD, at any time after the URL was entered: it is no delivery.
		if (request.method === "HEAD") {
			response.writeHead(405).end();
			return;
		}
		const body = await buffer(request);
		requests.push({ authorization: request.headers.authorization ?? "", body });
		if (handle)
			await handle(Object.assign(request, { rawBody: body }), response);
		else response.writeHead(503).end();
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

	return {
		url,
		arrived,
		handled,
		useSecret(secret) {
			const receiver = createReceiver({
				secret,
				onVerdict(seen) {
					arrived.push(seen);
					for (const check of waiting) check();
				},
			}).on("*", async (event) => {
				const entity =
					event.lead ?? event.deal ?? event.partnership ?? event.note;
				handled.push({
					eventId: event.eventId,
					uuid: entity?.uuid ?? "",
					sequence: event.sequence,
				});
			});
			handle = toNodeHandler(receiver);
		},
		count: (expected) =>
			new Promise((resolve) => {
				const check = () => {
					if (arrived.length < expected) return;
					waiting.delete(check);
					resolve();
				};
				waiting.add(check);
				check();
			}),
		repeat(index) {
			const { authorization, body } = requests[
				index
			] as (typeof requests)[number];
			const headers = { authorization, "content-type": "application/json" };
			return fetch(url, {
				method: "POST",
				headers,
				body: new Uint8Array(body),
			});
		},
	};
}
