import { createVerifier } from "@partnerwire/receiver";
import * as fc from "fast-check";
import { expect } from "vitest";
import { NOW_MS, OTHER_SECRET, SECRET } from "#kit/endpoints/tokens.ts";
import { hmac as nodePort } from "../../src/verify/crypto-node.ts";
import { hmac as webPort } from "../../src/verify/crypto-web.ts";
import type { PlatformCrypto } from "../../src/verify/platform-crypto.ts";
import { arbitraryToken } from "./arbitrary-token.ts";
import { isAcceptedByOracle } from "./oracle.ts";

/**
 * Compares verdicts for generated tokens: the node:crypto path and the WebCrypto path must give the same verdict, reason and claims,
 * and accept the same tokens as an oracle over jose.
 */
export async function compareVerdicts(count: number): Promise<void> {
	const options = { secret: SECRET, clock: () => NOW_MS };
	const fast = createVerifier(options, nodePort as PlatformCrypto);
	const strict = createVerifier(options, webPort as PlatformCrypto);
	const rotating = createVerifier(
		{ ...options, secret: [OTHER_SECRET, SECRET] },
		nodePort as PlatformCrypto,
	);
	const verdicts = { accepted: 0, refused: new Set<string>() };
	await fc.assert(
		fc.asyncProperty(arbitraryToken, async (token) => {
			const verdict = await fast(token);
			expect(verdict).toEqual(await strict(token));
			expect(verdict.ok).toBe(await isAcceptedByOracle(token));
			if (verdict.ok) {
				verdicts.accepted++;
				expect(await rotating(token)).toEqual({ ...verdict, secretIndex: 1 });
			} else verdicts.refused.add(verdict.reason);
		}),
		{ numRuns: count },
	);
	// The generator must not produce only tokens that are all wrong in the same way.
	expect(verdicts.accepted).toBeGreaterThan(count / 20);
	expect(verdicts.refused.size).toBeGreaterThan(10);
}
