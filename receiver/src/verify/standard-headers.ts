import type { Incoming } from "../common/incoming.ts";
import type { Reason } from "../common/reasons.ts";
import { isCanonicalBase64url } from "./base64url.ts";
import type { Awaitable, PlatformCrypto } from "./platform-crypto.ts";
import { parseSecrets } from "./secrets.ts";
import {
	createCandidates,
	createKeys,
	explainSecrets,
	type VerifyOptions,
} from "./verify.ts";

/* Verifies requests that are signed as Standard Webhooks say (docs/standard-webhooks.md). */

/** How far `webhook-timestamp` may be from this clock, on either side. */
export const TOLERANCE_S = 5 * 60;
const MAX_LENGTH = 512;
/** Each costs a MAC over the body, which anybody can ask for. Partnerwire sends one, or two during a rotation. */
const MOST_SIGNATURES = 3;
// A dot in the id could shift the borders of what is signed.
const ID = /^[!-\-/-~]{1,256}$/;
const TIMESTAMP = /^[1-9]\d{0,11}$/;
const SIGNATURE = /^v1,([A-Za-z\d+/]{43})=$/;

/** The three headers, well-formed and in time. */
export interface StandardHeaders {
	id: string;
	timestampS: number;
	/** The MACs in base64url. */
	signatures: readonly string[];
	reason?: never;
}

/** Why they are refused, and how long ago their time was over. */
interface RefusedHeaders {
	reason: Reason;
	expiredForS?: number;
}

/** Reads the headers. Undefined if one of them is missing. */
export function readStandardHeaders(
	incoming: Incoming,
	nowMs: number,
): StandardHeaders | RefusedHeaders | undefined {
	const id = incoming.header("webhook-id");
	const timestamp = incoming.header("webhook-timestamp");
	const signature = incoming.header("webhook-signature");
	if (!id || !timestamp || !signature) return undefined;
	const isWellFormed =
		ID.test(id) && TIMESTAMP.test(timestamp) && signature.length <= MAX_LENGTH;
	if (!isWellFormed) return { reason: "TOKEN_MALFORMED" };
	const timestampS = Number(timestamp);
	const ageS = Math.floor(nowMs / 1000) - timestampS;
	if (ageS > TOLERANCE_S)
		return { reason: "TOKEN_EXPIRED", expiredForS: ageS - TOLERANCE_S };
	if (ageS < -TOLERANCE_S) return { reason: "IAT_FUTURE" };
	const signatures = signature
		.split(" ")
		.map((each) => SIGNATURE.exec(each)?.[1] ?? "")
		.map((mac) => mac.replaceAll("+", "-").replaceAll("/", "_"))
		.filter((mac) => mac !== "" && isCanonicalBase64url(mac))
		.slice(0, MOST_SIGNATURES);
	return { id, timestampS, signatures };
}

/** The number of the secret that signed a body, or the reason why it is refused. */
export type StandardResult =
	| { secretIndex: number; reason?: never }
	| {
			secretIndex?: never;
			reason: Reason;
			error?: unknown;
			explanation?: string | undefined;
	  };

/** Builds a verifier of bodies. A lookup of secrets gets no claims, because there are none. */
export function createStandardVerifier<Key>(
	{ secret, log }: VerifyOptions,
	platform: PlatformCrypto<Key>,
) {
	const candidates =
		typeof secret === "function"
			? createCandidates(secret, platform, log)
			: undefined;
	let keys: Awaitable<readonly Key[]> | undefined;
	async function findKeys() {
		if (candidates) return candidates(Object.freeze({}));
		const secrets = parseSecrets(secret);
		keys ??= createKeys(secrets, platform);
		const explanation = explainSecrets(secrets);
		return { known: true, explanation, keys: await keys };
	}

	return async function verify(
		{ id, timestampS, signatures }: StandardHeaders,
		body: string,
	): Promise<StandardResult> {
		const found = await findKeys();
		if ("error" in found) return { reason: "SECRET_LOOKUP_FAILED", ...found };
		for (const signature of signatures) {
			// In the form of a token: what is signed, a dot, and the MAC. The same key signs tokens, but neither passes as the other: no
			// token has a number between two dots, and no JSON is base64url.
			const signed = `${id}.${timestampS}.${body}.${signature}`;
			const secretIndex = await platform.matchKey(signed, found.keys);
			if (secretIndex !== -1 && found.known) return { secretIndex };
		}
		return { reason: "SIGNATURE_INVALID", explanation: found.explanation };
	};
}
