import { setTimeout as wait } from "node:timers/promises";
import { H3 } from "h3";
import { readAtMost } from "./read-at-most.ts";

const MOST_BYTES = 1024 * 1024;
/** The longest wait for a body. The receiver's own deadline begins when the body is complete. */
const BODY_MS = 5_000;

/** A request as it came in, to send it a second time. */
export interface RecordedRequest {
	readonly url: string;
	readonly method: string;
	readonly headers: Headers;
	readonly body: ArrayBuffer;
}

/** An app at any path that reads each request whole, so that it can be kept, and passes it to `answer`. */
export const createRecordingApp = (
	answer: (request: RecordedRequest) => Promise<Response>,
): H3 =>
	new H3().all("/**", async (event) => {
		const { method, headers } = event.req;
		// One byte more than a receiver accepts: the receiver shall refuse it.
		const reading = readAtMost(event.req.body, MOST_BYTES + 1);
		const ended = new AbortController();
		const timeout = wait(BODY_MS, null, { signal: ended.signal, ref: false });
		// The slower of the two may reject unobserved.
		for (const each of [reading, timeout]) each.catch(() => {});
		const body = await Promise.race([reading, timeout]);
		ended.abort();
		if (body === null)
			return new Response(null, {
				status: 408,
				headers: { connection: "close" },
			});
		return answer({ url: event.url.href, method, headers, body });
	});

/** Passes a recorded request to an app, as if it arrived now. */
export const giveTo = async (
	app: H3,
	{ url, method, headers, body }: RecordedRequest,
): Promise<Response> => {
	const hasBody = method !== "GET" && method !== "HEAD";
	return app.request(url, { method, headers, body: hasBody ? body : null });
};
