import { type Bytes, readStream } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";
import type { Coding } from "./content.ts";

const isGzip = (bytes: Bytes): boolean =>
	bytes[0] === 0x1f && bytes[1] === 0x8b;
// RFC 1950 §2.2: method 8 and a header that is a multiple of 31. No JSON text begins like this.
const isZlib = (bytes: Bytes): boolean =>
	((bytes[0] ?? 0) & 0x0f) === 8 &&
	(((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0)) % 31 === 0;

/** Finds how the bytes are really compressed: a proxy may have inflated them and kept the header. */
function sniff(bytes: Bytes, coding: Coding): CompressionFormat | undefined {
	if (coding === "gzip" && isGzip(bytes)) return "gzip";
	if (coding === "deflate" && isZlib(bytes)) return "deflate";
	return undefined;
}

/** Inflates a body up to a limit on the inflated bytes, so that 10 KB cannot become 10 MB of memory. */
export function inflate(
	bytes: Bytes,
	coding: Coding,
	maxBytes: number,
): Awaitable<Bytes | Reason> {
	const format = sniff(bytes, coding);
	if (!format) return bytes;
	const inflated = new Blob([bytes])
		.stream()
		.pipeThrough(new DecompressionStream(format));
	return readStream(inflated.getReader(), maxBytes, "INVALID_ENCODING");
}
