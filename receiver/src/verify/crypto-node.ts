import { isUtf8 } from "node:buffer";
import { hash, timingSafeEqual } from "node:crypto";
import { explain } from "./explain.ts";
import type { PlatformCrypto } from "./platform-crypto.ts";

const BLOCK_BYTES = 64;
const HASH_BYTES = 32;
const SIGNATURE_LENGTH = 43;
/** Node's own limit for headers is 16 KiB, so longer tokens do not come over a socket. They get a buffer of their own. */
const USUAL_INPUT_BYTES = 16 * 1024;

/** A secret as the two padded blocks of HMAC (RFC 2104 §2). The second has room for the inner hash behind it. */
interface PaddedKey {
	inner: Buffer;
	outer: Buffer;
}

// Nothing is asynchronous between writing and hashing, so all tokens share one buffer.
const scratch = Buffer.alloc(BLOCK_BYTES + USUAL_INPUT_BYTES);

function createKey(secret: string | Uint8Array): PaddedKey {
	let bytes = Buffer.from(secret as string);
	if (bytes.length > BLOCK_BYTES)
		bytes = hash("sha256", bytes, "buffer") as Buffer<ArrayBuffer>;
	const inner = Buffer.alloc(BLOCK_BYTES, 0x36);
	const outer = Buffer.alloc(BLOCK_BYTES + HASH_BYTES, 0x5c);
	bytes.forEach((byte, index) => {
		inner[index] = byte ^ 0x36;
		outer[index] = byte ^ 0x5c;
	});
	return { inner, outer };
}

/** HMAC-SHA256 of an ASCII text, as base64url. */
function sign(input: string, { inner, outer }: PaddedKey): string {
	const end = BLOCK_BYTES + input.length;
	const message = end <= scratch.length ? scratch : Buffer.alloc(end);
	inner.copy(message);
	message.write(input, BLOCK_BYTES, "latin1");
	outer.write(
		hash("sha256", message.subarray(0, end), "binary"),
		BLOCK_BYTES,
		"latin1",
	);
	return hash("sha256", outer, "base64url");
}

/**
 * The fast path on Node. `test/crypto-ports.test.ts` proves that its verdicts equal those of the WebCrypto path and of strict jose.
 * HMAC is made of two one-shot hashes, because one Hmac object costs more than both: 2.7 µs a token instead of 1.5 µs.
 */
export const hmac: PlatformCrypto<PaddedKey> = {
	createKey,

	matchKey(token, keys) {
		const dot = token.lastIndexOf(".");
		const input = token.slice(0, dot);
		const signature = Buffer.from(token.slice(dot + 1), "latin1");
		// timingSafeEqual throws on unequal lengths.
		if (signature.length !== SIGNATURE_LENGTH) return -1;
		let match = -1;
		for (let index = 0; index < keys.length; index++) {
			const digest = Buffer.from(
				sign(input, keys[index] as PaddedKey),
				"latin1",
			);
			if (timingSafeEqual(digest, signature) && match === -1) match = index;
		}
		return match;
	},

	decodeSegment(segment) {
		const bytes = Buffer.from(segment, "base64url");
		return isUtf8(bytes) ? bytes.toString() : undefined;
	},

	// One call instead of a Hash object: 40 % less time for 1 KB.
	hash: (data) => hash("sha256", data, "base64url"),

	explain,
};
