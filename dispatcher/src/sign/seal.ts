import type { WebhookClaims } from "@partnerwire/wire";
import { hashBody } from "./body.ts";
import { createSigner, type Signer } from "./signer.ts";
import {
	addStandardHeaders,
	type StandardSigning,
} from "./standard-webhooks.ts";

/** A signed webhook, ready to be sent. */
export interface SignedRequest {
	readonly url: string;
	readonly token: string;
	readonly body: Uint8Array;
	/** The token's claims. If the receiver's answer echoes their secrets, they are masked in the stored answer. */
	readonly claims?: WebhookClaims;
	/** Further secrets to mask there: the signing secret. */
	readonly secrets?: readonly string[];
	/** Headers beside the token's. */
	readonly headers?: Readonly<Record<string, string>>;
}

/** A webhook that is signed where it is sent. */
export interface UnsignedRequest {
	readonly url: string;
	readonly secret: string;
	readonly claims: WebhookClaims;
	/** Whether the claims contain the body's hash. */
	readonly payloadSha256: boolean;
	readonly body: string;
	/** Whether it is also signed as Standard Webhooks say, and how. */
	readonly standard?: StandardSigning | undefined;
}

/** Signs a webhook: the bytes of the body, and the token of its claims. */
export function seal(
	{ url, secret, claims, payloadSha256, body: text, standard }: UnsignedRequest,
	sign: Signer = createSigner(secret),
): SignedRequest & Required<Pick<SignedRequest, "claims">> {
	const body = Buffer.from(text);
	// Not a spread: V8 would give each delivery's object a hidden class of its own.
	const all = payloadSha256
		? Object.assign({}, claims, { payload_sha256: hashBody(body) })
		: claims;
	const signed = {
		url,
		token: sign(all),
		body,
		claims: all,
		secrets: [secret],
	};
	return standard ? addStandardHeaders(signed, standard) : signed;
}
