import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

/** One request, written byte by byte, so that it may be malformed. */
export interface Shot {
	readonly method?: string;
	/** Added to the URL's path, such as `?access_token=…`. */
	readonly suffix?: string;
	/** Header lines in order; a name may occur twice. */
	readonly headers: readonly (readonly [name: string, value: string])[];
	readonly body: string | Uint8Array;
	/** Sends the body chunked, without its length. */
	readonly isChunked?: boolean;
	/** Sends half of the body, and then nothing more. */
	readonly isStalled?: boolean;
	/** Sends the body in this many pieces, with pauses between them. */
	readonly pieces?: number;
}

/** The result: an answer, a closed connection, or nothing in time. */
export interface Answer {
	readonly kind: "answered" | "closed" | "silent";
	readonly status: number | null;
	readonly durationMs: number;
}

/** Bytes of an answer that are read. Only its status counts. */
const MAX_ANSWER_BYTES = 64 * 1024;
const PAUSE_MS = 15;

/** Sends one request over a connection of its own; never rejects. */
export function sendShot(
	url: URL,
	shot: Shot,
	timeoutMs: number,
): Promise<Answer> {
	return new Promise((resolve) => {
		const startedMs = performance.now();
		const bytes = Buffer.from(shot.body as string);
		const isWhole = !shot.isChunked;
		const lines: string[][] = [
			...shot.headers.map(([name, value]) => [name, value]),
			["host", url.host],
			["connection", "close"],
			isWhole
				? ["content-length", String(bytes.length)]
				: ["transfer-encoding", "chunked"],
		];
		const send = url.protocol === "https:" ? requestHttps : requestHttp;
		const request = send(url, {
			agent: false,
			method: shot.method ?? "POST",
			path: `${url.pathname}${shot.suffix ?? url.search}`,
			headers: lines.flat(),
		});
		const timer = setTimeout(() => finish("silent"), timeoutMs);
		let status: number | null = null;

		function finish(kind: Answer["kind"]): void {
			clearTimeout(timer);
			request.destroy();
			const durationMs = Math.round(performance.now() - startedMs);
			resolve({ kind, status, durationMs });
		}

		request.on("response", (response) => {
			let length = 0;
			response.on("data", (chunk: Buffer) => {
				length += chunk.length;
				if (length > MAX_ANSWER_BYTES) answered();
			});
			const answered = () => {
				status = response.statusCode ?? null;
				finish("answered");
			};
			response.on("end", answered).on("error", () => finish("closed"));
		});
		request.on("error", () => finish("closed"));
		if (shot.isStalled)
			request.write(bytes.subarray(0, Math.ceil(bytes.length / 2)));
		else void sendInPieces(bytes, shot.pieces ?? 1);

		async function sendInPieces(all: Buffer, pieces: number): Promise<void> {
			const size = Math.ceil(all.length / pieces);
			for (let piece = 1; piece < pieces; piece++) {
				request.write(all.subarray((piece - 1) * size, piece * size));
				await new Promise((wake) => setTimeout(wake, PAUSE_MS));
				if (request.destroyed) return;
			}
			request.end(all.subarray((pieces - 1) * size));
		}
	});
}

/** Finds out why nothing listens at the URL. Null if something does, or if it is slow. */
export function findRefusal(url: URL, timeoutMs: number) {
	return new Promise<string | null>((resolve) => {
		const send = url.protocol === "https:" ? requestHttps : requestHttp;
		const request = send(url, { agent: false, method: "HEAD" });
		const timer = setTimeout(() => finish(null), timeoutMs);
		const finish = (refusal: string | null) => {
			clearTimeout(timer);
			request.destroy();
			resolve(refusal);
		};
		request.on("socket", (socket) =>
			socket.on(url.protocol === "https:" ? "secureConnect" : "connect", () =>
				finish(null),
			),
		);
		request.on("error", (error) => finish(error.message));
		request.end();
	});
}
