import { createReceiver, type Observation } from "@partnerwire/receiver";
import { type H3, toNodeHandler } from "h3";
import { createHookApp } from "../../service/hook-app.ts";
import {
	createRecordingApp,
	giveTo,
	type RecordedRequest,
} from "../../service/record-requests.ts";
import { openDevListener } from "../listen/dev-listener.ts";

export interface DemoReceiver {
	readonly url: string;
	/** Starts verifying, once the integration's secret is known. */
	useSecret(secret: string): void;
	/** Whether to answer every request with 500, as a receiver without its database does. */
	setFailing(now: boolean): void;
	/** Resolves to the next verified event that this function has not returned before. */
	next(): Promise<Observation>;
	/** Sends the first request again, byte for byte. */
	repeatFirst(): Promise<void>;
	close(): Promise<void>;
}

/** A receiver as a user would write it, on a port of its own. */
export async function openDemoReceiver(): Promise<DemoReceiver> {
	const arrived: Observation[] = [];
	let onArrival: (() => void) | undefined;
	let hook: H3 | undefined;
	let isFailing = false;
	let first: RecordedRequest | undefined;

	const app = createRecordingApp(async (request) => {
		if (!hook || isFailing) return new Response(null, { status: 500 });
		first ??= request;
		return giveTo(hook, request);
	});
	const listener = await openDevListener(toNodeHandler(app), {
		name: "Demo receiver",
		port: 0,
		path: "/hook",
	});
	const url = new URL("/hook", listener.url).href;

	return {
		url,
		useSecret(secret) {
			const receiver = createReceiver({
				secret,
				onVerdict: (seen) => {
					arrived.push(seen);
					onArrival?.();
				},
			}).on("*", async () => {});
			hook = createHookApp(receiver);
		},
		setFailing(now) {
			isFailing = now;
		},
		async next() {
			while (arrived.length === 0) {
				await new Promise<void>((resolve) => {
					onArrival = resolve;
				});
			}
			return arrived.shift() as Observation;
		},
		async repeatFirst() {
			if (!first) throw new TypeError("nothing has arrived yet");
			const headers = new Headers(first.headers);
			// fetch adds its own, and undici refuses a request with two.
			headers.delete("content-length");
			await fetch(url, { method: "POST", headers, body: first.body });
		},
		close: () => listener.close(),
	};
}
