const MAX_TOKENS = 10_000;

/**
 * Remembers which body each unbound token came with: an HS256 token in a header authenticates the sender, not the body, so a captured
 * one works with any body until it expires (case D12). Tokens with `payload_sha256` need no memory.
 */
export function createTokenMemory() {
	const seen = new Map<string, string>();
	/** Was the token used with another body before? Bounded by count; the oldest is forgotten first. */
	return function isReused(token: string, fingerprint: string): boolean {
		const signature = token.slice(token.lastIndexOf(".") + 1);
		const before = seen.get(signature);
		if (before !== undefined) return before !== fingerprint;
		seen.set(signature, fingerprint);
		if (seen.size > MAX_TOKENS)
			for (const oldest of seen.keys()) {
				seen.delete(oldest);
				break;
			}
		return false;
	};
}
