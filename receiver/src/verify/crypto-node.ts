import { isUtf8 } from "node:buffer";
import {
	createHmac,
	createSecretKey,
	hash,
	type KeyObject,
	timingSafeEqual,
} from "node:crypto";
import { explain } from "./explain.ts";
import type { PlatformCrypto } from "./platform-crypto.ts";

/** The path on Node. `test/verify/crypto-ports.test.ts` proves that its verdicts equal those of the WebCrypto path and of strict jose. */
export const hmac: PlatformCrypto<KeyObject> = {
	createKey: (secret) => createSecretKey(Buffer.from(secret as string)),

	matchKey(token, keys) {
		const dot = token.lastIndexOf(".");
		const input = token.slice(0, dot);
		const signature = Buffer.from(token.slice(dot + 1), "latin1");
		let match = -1;
		for (const [index, key] of keys.entries()) {
			const text = createHmac("sha256", key).update(input).digest("base64url");
			const digest = Buffer.from(text, "latin1");
			if (
				// timingSafeEqual throws on unequal lengths.
				digest.length === signature.length &&
				timingSafeEqual(digest, signature) &&
				match === -1
			)
				match = index;
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
