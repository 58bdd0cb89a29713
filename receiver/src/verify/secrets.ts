import { ReceiverConfigError } from "../common/config-error.ts";
import type { Bytes } from "../common/incoming.ts";
import { fromBase64url } from "./base64url.ts";
import type { Awaitable } from "./platform-crypto.ts";

/** Claims whose signature is not checked yet. Use them only to choose candidate secrets. */
export type UnverifiedClaims = Readonly<Record<string, unknown>>;

/** Finds the candidate secrets of a sender. Undefined means that the sender is unknown: the answer is that to a bad signature. */
export type SecretLookup = (
	unverified: UnverifiedClaims,
) => Awaitable<string | readonly string[] | null | undefined>;

/** One secret, several during a rotation, or a lookup. */
export type Secret = string | readonly string[] | SecretLookup;

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const PLACEHOLDER =
	/^(?:undefined|null|nan|none|true|false|todo|test|example|placeholder|x+|[0-]+|f[f-]+|(?:(?:your|my|webhook|signing|integration|change|replace)[-_ ]?)*(?:secret|uuid|me)|\[object.*|<.*>|\$\{.*\}|\{\{.*\}\}|process\.env.*)$/i;
const BAD_BASE64 = /^whsec_(?!([\w+/]{4}){8,22}([\w+/]{2,3})?=*$)/;
const HOW =
	"Give the integration's signing secret (integration_uuid), as it was shown.";

/** Said of a secret that is an id. */
export const ID_FOR_SECRET = `The secret is a UUID of version 7: this is the integration's id, not its secret. ${HOW}`;

/** The key of a secret: its text, or the bytes that its form for Standard Webhooks stands for (docs/standard-webhooks.md). */
export const toKeyMaterial = (secret: string): string | Bytes =>
	secret.startsWith("whsec_")
		? fromBase64url(secret.slice(6).replaceAll("=", ""))
		: secret;

/** Says in a sentence what is wrong with a secret and what to do. Undefined if the secret is fine. */
export function problemOfSecret(secret: unknown): string | undefined {
	if (typeof secret !== "string")
		return `The secret is ${secret === null ? "null" : typeof secret}, not a string: is the environment variable PARTNERWIRE_WEBHOOK_SECRET set? ${HOW}`;
	if (secret.trim() === "") return `The secret is empty. ${HOW}`;
	if (secret !== secret.trim())
		return `The secret has white space around it: trim it. ${HOW}`;
	if (PLACEHOLDER.test(secret) || BAD_BASE64.test(secret))
		return `The secret is a placeholder or malformed. ${HOW}`;
	if (/^(?:-----BEGIN|\{.*"kty")/s.test(secret))
		return `The secret is a PEM key or a JSON Web Key, but HS256 needs a shared secret. ${HOW}`;
	return undefined;
}

/** Has it the shape of an integration's secret (docs/contract.md#webhook-requests)? Others work, with a warning. */
export function isUuidSecret(secret: string): boolean {
	return UUID.test(secret) || secret.startsWith("whsec_");
}

/** Parses the `secret` option, one secret or a list, into a list. Throws if one cannot be right. */
export function parseSecrets(secret: unknown): readonly string[] {
	const list: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
	if (list.length === 0)
		throw new ReceiverConfigError(
			"CONFIG_SECRET",
			`The list of secrets is empty. ${HOW}`,
		);
	for (const each of list) {
		const problem = problemOfSecret(each);
		if (problem) throw new ReceiverConfigError("CONFIG_SECRET", problem);
	}
	return list as readonly string[];
}
