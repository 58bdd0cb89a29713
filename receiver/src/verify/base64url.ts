import type { Bytes } from "../common/incoming.ts";

/**
 * Is the segment's length possible, and are its unused trailing bits zero? Without this check, four spellings of one signature
 * pass (RFC 4648 §3.5). The caller's pattern checks the alphabet.
 */
export function isCanonicalBase64url(segment: string): boolean {
	const rest = segment.length % 4;
	if (rest === 2) return /[AQgw]$/.test(segment);
	return rest === 3 ? /[AEIMQUYcgkosw048]$/.test(segment) : rest === 0;
}

/** base64url without padding (RFC 7515 §2), for runtimes without Buffer. */
export function toBase64url(bytes: Uint8Array): string {
	let binary = "";
	for (const byte of bytes) binary += String.fromCharCode(byte);
	return btoa(binary)
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
}

/** Decodes base64 or base64url text. Throws on any other text. */
export function fromBase64url(text: string): Bytes {
	const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
	return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
