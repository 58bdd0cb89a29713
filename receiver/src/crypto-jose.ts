import { compactVerify } from "jose/jws/compact/verify";
import { toBase64url } from "./base64url.ts";
import type { CryptoPort } from "./crypto-port.ts";

const encoder = new TextEncoder();
// A BOM must reach JSON.parse, which refuses it: both ports give the same text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const isSignedBy = (token: string, key: CryptoKey): Promise<boolean> =>
	compactVerify(token, key, { algorithms: ["HS256"] }).then(
		() => true,
		() => false,
	);

/** The default path: jose over WebCrypto, for every runtime that is not Node (design §1, The receiver). */
export const port: CryptoPort<CryptoKey> = {
	createKey: (secret) =>
		crypto.subtle.importKey(
			"raw",
			typeof secret === "string" ? encoder.encode(secret) : secret,
			{ name: "HMAC", hash: "SHA-256" },
			false,
			["verify"],
		),

	matchKey: async (token, keys) => {
		const matches = await Promise.all(
			keys.map((key) => isSignedBy(token, key)),
		);
		return matches.indexOf(true);
	},

	decodeSegment(segment) {
		const binary = atob(segment.replaceAll("-", "+").replaceAll("_", "/"));
		const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
		try {
			return decoder.decode(bytes);
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
