import { H3 } from "h3";

/** A request as it came in, to send it a second time. */
export interface RecordedRequest {
	readonly url: string;
	readonly method: string;
	readonly headers: Headers;
	readonly body: ArrayBuffer;
}

/** An app at any path that reads each request whole, so that it can be kept, and lets `answer` answer it. */
export const createRecordingApp = (
	answer: (request: RecordedRequest) => Promise<Response>,
): H3 =>
	new H3().all("/**", async (event) => {
		const { method, headers } = event.req;
		const body = await event.req.arrayBuffer();
		return answer({ url: event.url.href, method, headers, body });
	});

/** Gives a recorded request to an app, as if it came in now. */
export const giveTo = async (
	app: H3,
	{ url, method, headers, body }: RecordedRequest,
): Promise<Response> => {
	const hasBody = method !== "GET" && method !== "HEAD";
	return app.request(url, { method, headers, body: hasBody ? body : null });
};
