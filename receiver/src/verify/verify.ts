import { isIntegrationId, type WebhookClaims } from "@partnerwire/wire";
import { hmac as defaultPlatform } from "#crypto";
import type { Reason } from "../common/reasons.ts";
import { CLAIM_LIMITS, type ClaimLimits, parseClaims } from "./claims.ts";
import {
	type Awaitable,
	isPromise,
	type PlatformCrypto,
} from "./platform-crypto.ts";
import {
	ID_FOR_SECRET,
	parseSecrets,
	problemOfSecret,
	type Secret,
	type SecretLookup,
	toKeyMaterial,
} from "./secrets.ts";
import { parseSegment, parseToken } from "./token.ts";

/** The options of `verify`. Only the secret is required. */
export interface VerifyOptions extends Partial<ClaimLimits> {
	/** The type allows undefined, because environment variables may be undefined. It throws at construction. */
	secret: Secret | undefined;
	/** Milliseconds since the epoch; `Date.now` by default. */
	clock?: () => number;
	/** Called when a lookup returns something that cannot be the secret. */
	log?: (message: string) => void;
}

/** A verified token's claims, or the one reason why it is refused. */
export type VerifyResult =
	| { ok: true; claims: WebhookClaims; secretIndex: number; reason?: never }
	| {
			ok: false;
			reason: Reason;
			/** Why the signature cannot match, where the secrets show it: they are ids of integrations. */
			explanation?: string;
			/** How long ago the token expired, in seconds. */
			expiredForS?: number;
			/** The error that a secret lookup threw. */
			error?: unknown;
			claims?: never;
	  };

/** Verifies a compact token. */
export type Verifier = (token: string) => Awaitable<VerifyResult>;

const refuse = (reason: Reason): VerifyResult => ({ ok: false, reason });

/** Says so if all secrets are ids. Beside a secret, an id explains nothing: anybody can forge a token. */
export const explainSecrets = (
	secrets: readonly string[],
): string | undefined =>
	secrets.length > 0 && secrets.every(isIntegrationId)
		? ID_FOR_SECRET
		: undefined;

/** Imports secrets. */
export function createKeys<Key>(
	secrets: readonly string[],
	platform: PlatformCrypto<Key>,
): Awaitable<readonly Key[]> {
	const keys = secrets.map((secret) =>
		platform.createKey(toKeyMaterial(secret)),
	);
	return keys.some(isPromise) ? Promise.all(keys) : (keys as Key[]);
}

/**
 * Builds a verifier: HS256 only, strict base64url, `exp` and `iat` required (docs/contract.md#webhook-requests). On Node it
 * returns its result, elsewhere a promise.
 */
export function createVerifier<Key>(
	options: VerifyOptions,
	platform: PlatformCrypto<Key> = defaultPlatform as PlatformCrypto<Key>,
): Verifier {
	const o = { ...CLAIM_LIMITS, clock: () => Date.now(), ...options };

	function checkClaims(payload: string, secretIndex: number): VerifyResult {
		const claims = parseSegment(payload, platform as PlatformCrypto);
		if (!claims) return refuse("CLAIMS_NOT_OBJECT");
		const nowS = o.clock() / 1000;
		const parsed = parseClaims(claims, nowS, o);
		if (typeof parsed !== "string")
			return { ok: true, claims: parsed, secretIndex };
		if (parsed !== "TOKEN_EXPIRED") return refuse(parsed);
		return {
			ok: false,
			reason: parsed,
			expiredForS: Math.floor(nowS - (claims.exp as number)),
		};
	}

	const toResult = (
		payload: string,
		match: number,
		explanation?: string,
	): VerifyResult =>
		match === -1
			? { ...refuse("SIGNATURE_INVALID"), ...(explanation && { explanation }) }
			: checkClaims(payload, match);

	function matchAgainst(
		token: string,
		payload: string,
		keys: readonly Key[],
		explanation?: string,
	): Awaitable<VerifyResult> {
		const match = platform.matchKey(token, keys);
		return isPromise(match)
			? match.then((index) => toResult(payload, index, explanation))
			: toResult(payload, match, explanation);
	}

	if (typeof options.secret === "function") {
		const candidates = createCandidates(options.secret, platform, o.log);
		return async (token) => {
			const parsed = parseToken(token, platform as PlatformCrypto);
			if (parsed.reason) return refuse(parsed.reason);
			const unverified = parseSegment(
				parsed.payload,
				platform as PlatformCrypto,
			);
			if (!unverified) return refuse("CLAIMS_NOT_OBJECT");
			const found = await candidates(Object.freeze(unverified));
			if ("error" in found)
				return { ok: false, reason: "SECRET_LOOKUP_FAILED", ...found };
			const { keys, explanation } = found;
			const result = await matchAgainst(
				token,
				parsed.payload,
				keys,
				explanation,
			);
			return found.known || !result.ok ? result : refuse("SIGNATURE_INVALID");
		};
	}

	const secrets = parseSecrets(options.secret);
	const explanation = explainSecrets(secrets);
	const keys = createKeys(secrets, platform);
	// If a key cannot be imported, the caller of the first verification gets the error. It is no unhandled rejection.
	if (isPromise(keys)) keys.catch(() => {});
	return (token) => {
		const parsed = parseToken(token, platform as PlatformCrypto);
		if (parsed.reason) return refuse(parsed.reason);
		return isPromise(keys)
			? keys.then((ready) =>
					matchAgainst(token, parsed.payload, ready, explanation),
				)
			: matchAgainst(token, parsed.payload, keys, explanation);
	};
}

/** Turns a lookup's secrets into keys. An unknown sender gets a random key, so that it takes as long as a bad signature. */
export function createCandidates<Key>(
	lookup: SecretLookup,
	platform: PlatformCrypto<Key>,
	log: (message: string) => void = () => {},
) {
	let nobody: Awaitable<Key> | undefined;
	return async (unverified: Readonly<Record<string, unknown>>) => {
		let found: unknown;
		try {
			found = await lookup(unverified);
		} catch (error) {
			return { error };
		}
		const list: readonly unknown[] = Array.isArray(found) ? found : [found];
		const usable = list.map((each) => {
			if (each === undefined || each === null) return undefined;
			const problem = problemOfSecret(each);
			if (problem) log(`The secret lookup's result is not usable: ${problem}`);
			return problem ? undefined : (each as string);
		});
		nobody ??= platform.createKey(crypto.getRandomValues(new Uint8Array(36)));
		const stranger = await nobody;
		const keys = await Promise.all(
			usable.map((each) =>
				each === undefined ? stranger : platform.createKey(toKeyMaterial(each)),
			),
		);
		const known = usable.filter((each) => each !== undefined);
		return {
			known: known.length > 0,
			explanation: explainSecrets(known),
			keys: keys.length > 0 ? keys : [stranger],
		};
	};
}

const verifiers = new WeakMap<VerifyOptions, Verifier>();

/**
 * Verifies one token. The options are resolved once for each object, so keep them in a constant.
 *
 * @example
 * const result = await verify(token, options);
 * if (!result.ok) console.log(result.reason);
 */
export async function verify(
	token: string,
	options: VerifyOptions,
): Promise<VerifyResult> {
	let verifier = verifiers.get(options);
	if (!verifier) {
		verifier = createVerifier(options);
		verifiers.set(options, verifier);
	}
	return verifier(token);
}
