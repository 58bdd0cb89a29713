import type { IncomingMessage } from "node:http";
import {
	type BodySource,
	type Bytes,
	concatBytes,
	type Incoming,
	toBytes,
} from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";

/** The members that body parsers and hosting platforms add to a Node request. */
export interface ParsedRequest {
	rawBody?: unknown;
	body?: unknown;
}

function toSource(value: unknown): BodySource | undefined {
	if (ArrayBuffer.isView(value))
		return { kind: "bytes", bytes: toBytes(value) };
	if (typeof value === "string") return { kind: "text", text: value };
	return undefined;
}

const isEmpty = (value: unknown): boolean =>
	value === undefined ||
	value === "" ||
	(typeof value === "object" &&
		value !== null &&
		Object.keys(value).length === 0);

function readMessage(
	req: IncomingMessage,
	maxBytes: number,
): Promise<Bytes | Reason> {
	return new Promise((resolve) => {
		const chunks: Buffer[] = [];
		let length = 0;
		req.on("data", (chunk: Buffer) => {
			length += chunk.length;
			// The rest is read and dropped. Otherwise the sender would get a reset instead of the answer.
			if (length > maxBytes) resolve("BODY_TOO_LARGE");
			else chunks.push(chunk);
		});
		req.once("end", () => resolve(concatBytes(chunks)));
		req.once("error", () => resolve("BODY_INCOMPLETE"));
		req.once("close", () => resolve("BODY_INCOMPLETE"));
	});
}

/**
 * Finds the body of a Node request: the raw body that was kept, the object of a parser, or the stream. A drained stream is recognised
 * at once: waiting for its `end` would hang until the host's timeout.
 */
export function bodyOfMessage(
	req: IncomingMessage,
	{ rawBody, body }: ParsedRequest = req as ParsedRequest & IncomingMessage,
): BodySource {
	const kept = toSource(rawBody);
	if (kept) return kept;
	const isTouched = req.readableDidRead || req.readableEnded || req.destroyed;
	// Express 4 sets `{}` on requests that it leaves alone.
	if (body !== undefined && (isTouched || !isEmpty(body)))
		return toSource(body) ?? { kind: "parsed", value: body };
	if (isTouched) return { kind: "used" };
	return {
		kind: "stream",
		read: (maxBytes) => readMessage(req, maxBytes),
		cancel: () => void req.pause(),
	};
}

function readHeader(req: IncomingMessage, name: string): string | undefined {
	const raw = req.rawHeaders as string[] | undefined;
	// Node keeps only the first of two Authorization headers. Both are needed to refuse two different ones.
	if (raw && name === "authorization") {
		let joined: string | undefined;
		for (let index = 0; index + 1 < raw.length; index += 2)
			if (raw[index]?.toLowerCase() === name)
				joined =
					joined === undefined ? raw[index + 1] : `${joined},${raw[index + 1]}`;
		if (joined !== undefined) return joined;
	}
	const value = req.headers[name];
	return Array.isArray(value) ? value.join(",") : value;
}

/** Converts a Node request. */
export function fromMessage(
	req: IncomingMessage,
	parsed: ParsedRequest = req as ParsedRequest & IncomingMessage,
): Incoming {
	return {
		method: req.method ?? "",
		header: (name) => readHeader(req, name),
		body: () => bodyOfMessage(req, parsed),
	};
}
