import { request as httpRequest, type IncomingMessage } from "node:http";
import { BODY, GOOD } from "./tokens.ts";

/** One request of a test. Each adapter sends it in its own way. */
export interface Shot {
	method?: string;
	path?: string;
	/** One value for each header line. `Bearer GOOD` by default, null for none. */
	authorization?: string | readonly string[] | null;
	/** null leaves a default header out. */
	headers?: Readonly<Record<string, string | null>>;
	body?: string | Uint8Array | null;
	/** Sends the body without its length. */
	chunked?: boolean;
	/** Sends the body and never ends it. */
	stalled?: boolean;
}

/** The answer. */
export interface Answer {
	status: number;
	headers: Readonly<Record<string, string>>;
	text: string;
	json: {
		ok?: boolean;
		handled?: boolean;
		duplicate?: boolean;
		dead_letter?: boolean;
		error?: { code: string; message: string; explanation?: string };
	};
}

export function toAnswer(
	status: number,
	headers: Readonly<Record<string, string>>,
	text: string,
): Answer {
	let json: Answer["json"] = {};
	try {
		json = JSON.parse(text);
	} catch {
		// Not JSON: the test checks the text.
	}
	return { status, headers, text, json };
}

/** The header lines of a shot, in order. */
export function headerLines(shot: Shot): [name: string, value: string][] {
	const { authorization = `Bearer ${GOOD}`, headers = {} } = shot;
	const all: Record<string, string | null> = {
		"content-type": "application/json",
		...headers,
	};
	const lines: [string, string][] = [];
	for (const value of [authorization].flat())
		if (value !== null) lines.push(["authorization", value]);
	for (const [name, value] of Object.entries(all))
		if (value !== null) lines.push([name, value]);
	return lines;
}

export function bodyBytes(shot: Shot): Buffer {
	return Buffer.from(
		(shot.body === undefined ? BODY : (shot.body ?? "")) as string,
	);
}

/** May the method have a body? */
export const hasBody = ({ method = "POST" }: Shot): boolean =>
	method !== "GET" && method !== "HEAD";

/** Sends a shot over a socket. */
export function sendOverHttp(port: number, shot: Shot): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const bytes = bodyBytes(shot);
		const lines = headerLines(shot);
		lines.push(["host", `127.0.0.1:${port}`], ["connection", "close"]);
		if (hasBody(shot))
			lines.push(
				shot.chunked || shot.stalled
					? ["transfer-encoding", "chunked"]
					: ["content-length", String(bytes.length)],
			);
		const req = httpRequest({
			port,
			host: "127.0.0.1",
			agent: false,
			method: shot.method ?? "POST",
			path: shot.path ?? "/hook",
			headers: lines.flat(),
		});
		req.on("response", (res: IncomingMessage) => {
			const chunks: Buffer[] = [];
			res.on("data", (chunk: Buffer) => chunks.push(chunk));
			res.on("end", () => {
				const headers = Object.fromEntries(
					Object.entries(res.headers).map(([name, value]) => [
						name,
						String(value),
					]),
				);
				resolve(
					toAnswer(
						res.statusCode ?? 0,
						headers,
						Buffer.concat(chunks).toString(),
					),
				);
				req.destroy();
			});
			res.on("error", reject);
		});
		// The server may answer and close before the whole body is sent.
		req.on("error", reject);
		if (!hasBody(shot)) req.end();
		else if (shot.stalled) req.write(bytes);
		else req.end(bytes);
	});
}

/** A shot as a web `Request`. */
export function toRequest(shot: Shot, origin = "http://127.0.0.1"): Request {
	const headers = new Headers();
	for (const [name, value] of headerLines(shot)) headers.append(name, value);
	const init: RequestInit & { duplex: "half" } = {
		method: shot.method ?? "POST",
		headers,
		duplex: "half",
	};
	const bytes = bodyBytes(shot);
	if (hasBody(shot) && (bytes.length > 0 || shot.stalled))
		init.body = new ReadableStream({
			start(controller) {
				controller.enqueue(new Uint8Array(bytes));
				if (!shot.stalled) controller.close();
			},
		});
	return new Request(`${origin}${shot.path ?? "/hook"}`, init);
}

export async function fromResponse(response: Response): Promise<Answer> {
	const headers = Object.fromEntries(response.headers);
	return toAnswer(response.status, headers, await response.text());
}
