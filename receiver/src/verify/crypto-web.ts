import { fromBase64url, toBase64url } from "./base64url.ts";
import type { PlatformCrypto } from "./platform-crypto.ts";

const encoder = new TextEncoder();
// A BOM must reach JSON.parse, which refuses it: both ports give the same text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The default path, over WebCrypto, for every runtime that is not Node. It is jose's own call without jose, which alone would take a
 * third of the edge bundle; jose is the oracle of test/crypto-ports.test.ts.
 */
export const hmac: PlatformCrypto<CryptoKey> = {
	createKey: (secret) =>
		crypto.subtle.importKey(
			"raw",
			typeof secret === "string" ? encoder.encode(secret) : secret,
			{ name: "HMAC", hash: "SHA-256" },
			false,
			["verify"],
		),

	async matchKey(token, keys) {
		const dot = token.lastIndexOf(".");
		const input = encoder.encode(token.slice(0, dot));
		const signature = fromBase64url(token.slice(dot + 1));
		const matches = await Promise.all(
			keys.map((key) => crypto.subtle.verify("HMAC", key, signature, input)),
		);
		return matches.indexOf(true);
	},

	decodeSegment(segment) {
		try {
			return decoder.decode(fromBase64url(segment));
		} catch {
			return undefined;
		}
	},

	hash: async (data) => {
		const bytes = typeof data === "string" ? encoder.encode(data) : data;
		return toBase64url(
			new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
		);
	},
};
