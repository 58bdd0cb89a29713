import type { Reason } from "./reasons.ts";

/** The bytes of a body. That is `Uint8Array<ArrayBuffer>`, in words for TypeScript before 5.7, where it has no parameter. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/**
 * The body as an adapter finds it: a stream to read, or the result of a framework's parser.
 * `used` means that something has read the body and kept nothing.
 */
export type BodySource =
	| { kind: "bytes"; bytes: Bytes }
	| { kind: "text"; text: string }
	| { kind: "parsed"; value: unknown }
	| { kind: "used" }
	| {
			kind: "stream";
			/** Resolves to the bytes, or to the reason why there are none. Never reads much more than `maxBytes`. */
			read(maxBytes: number): Promise<Bytes | Reason>;
			/** Stops reading. `read` may stay pending afterwards. */
			cancel(): void;
	  };

/** A request in the form that every adapter gives to the receiver. The same `Incoming` has the same verdict on all of them. */
export interface Incoming {
	method: string;
	/** A header's value; several values are joined by commas, as `Headers.get` does. */
	header(name: string): string | null | undefined;
	body(): BodySource;
}

/** Views the bytes of a Node buffer (or of any array buffer view) without copying. */
export function toBytes(view: ArrayBufferView): Bytes {
	return new Uint8Array(
		view.buffer as ArrayBuffer,
		view.byteOffset,
		view.byteLength,
	);
}

/** Joins chunks into one array. */
export function concatBytes(chunks: readonly Uint8Array[]): Bytes {
	const [first] = chunks;
	if (first && chunks.length === 1) return toBytes(first);
	let length = 0;
	for (const chunk of chunks) length += chunk.length;
	const joined = new Uint8Array(length);
	let offset = 0;
	for (const chunk of chunks) {
		joined.set(chunk, offset);
		offset += chunk.length;
	}
	return joined;
}

/**
 * Reads a web stream up to a limit, or says why not. It counts the bytes that arrive, not those that were announced.
 * `broken` is the reason if the stream fails.
 */
export async function readStream(
	reader: ReadableStreamDefaultReader<Uint8Array>,
	maxBytes: number,
	broken: Reason,
): Promise<Bytes | Reason> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return concatBytes(chunks);
			length += value.length;
			if (length > maxBytes) {
				reader.cancel().catch(() => {});
				return "BODY_TOO_LARGE";
			}
			chunks.push(value);
		}
	} catch {
		return broken;
	}
}

/** The body of a web `Request`. It is `used` if it was read or locked before. */
export function bodyOfRequest(request: Request): BodySource {
	const stream = request.body;
	if (request.bodyUsed || stream?.locked) return { kind: "used" };
	if (!stream) return { kind: "bytes", bytes: new Uint8Array() };
	const reader = stream.getReader();
	return {
		kind: "stream",
		read: (maxBytes) => readStream(reader, maxBytes, "BODY_INCOMPLETE"),
		cancel: () => void reader.cancel().catch(() => {}),
	};
}

/** Converts a web `Request` (Workers, Deno, Bun, Hono, Next.js). */
export function fromRequest(
	request: Request,
	body: () => BodySource = () => bodyOfRequest(request),
): Incoming {
	return {
		method: request.method,
		header: (name) => request.headers.get(name),
		body,
	};
}
