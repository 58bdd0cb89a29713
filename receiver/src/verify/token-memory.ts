import { createBoundedMap } from "../common/bounded-map.ts";

const MAX_TOKENS = 10_000;

/**
 * Remembers which body each unbound token came with. A token in a header authenticates the sender, not the body: a captured token
 * works with any body until it expires. Tokens with `payload_sha256` need no memory.
 */
export function createTokenMemory() {
	const seen = createBoundedMap<string>(MAX_TOKENS);
	/** Was the token used with another body before? Only the newest tokens are remembered. */
	return function isReused(token: string, fingerprint: string): boolean {
		const signature = token.slice(token.lastIndexOf(".") + 1);
		const before = seen.get(signature);
		if (before !== undefined) return before !== fingerprint;
		seen.set(signature, fingerprint);
		return false;
	};
}
