import { isUtf8 } from "node:buffer";
import {
	createHmac,
	createSecretKey,
	hash,
	type KeyObject,
	timingSafeEqual,
} from "node:crypto";
import type { CryptoPort } from "./crypto-port.ts";

const SIGNATURE_BYTES = 32;

/** The fast path on Node: the same verdicts as the WebCrypto path and as strict jose, proven equal by test/crypto-ports.test.ts (design §1). */
export const port: CryptoPort<KeyObject> = {
	createKey: (secret) => createSecretKey(Buffer.from(secret as string)),

	matchKey(token, keys) {
		const dot = token.lastIndexOf(".");
		const input = token.slice(0, dot);
		const signature = Buffer.from(token.slice(dot + 1), "base64url");
		// timingSafeEqual throws on unequal lengths: case C11.
		if (signature.length !== SIGNATURE_BYTES) return -1;
		let match = -1;
		for (let index = 0; index < keys.length; index++) {
			const digest = createHmac("sha256", keys[index] as KeyObject)
				.update(input)
				.digest();
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
};
