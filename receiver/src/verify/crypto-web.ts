import { fromBase64url, toBase64url } from "./base64url.ts";
import type { PlatformCrypto } from "./platform-crypto.ts";

const encoder = new TextEncoder();
// JSON.parse must see and refuse a BOM, as it does with the text of crypto-node.ts.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The path for every runtime other than Node, over WebCrypto. jose makes the same calls, but would take a third of the edge bundle's
 * 12 KB. `test/verify/crypto-ports.test.ts` compares both.
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
