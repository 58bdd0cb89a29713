import type { WebhookClaims } from "@partnerwire/wire";
import { hashBody } from "./body.ts";
import { createSigner, type Signer } from "./signer.ts";

/** A webhook that is ready to be sent. */
export interface SignedRequest {
	readonly url: string;
	readonly token: string;
	readonly body: Uint8Array;
	/** What the token says: the secrets in it are masked in what is kept of an answer that echoes them. */
	readonly claims?: WebhookClaims;
	/** More that is masked there: what the token is signed with. */
	readonly secrets?: readonly string[];
}

/** A webhook that whoever sends it is to sign. */
export interface UnsignedRequest {
	readonly url: string;
	readonly secret: string;
	readonly claims: WebhookClaims;
	/** Whether the claims are to name the body's hash. */
	readonly payloadSha256: boolean;
	readonly body: string;
}

/** The bytes of the body, and the token of its claims. */
export function seal(
	{ url, secret, claims, payloadSha256, body: text }: UnsignedRequest,
	sign: Signer = createSigner(secret),
): SignedRequest & Required<Pick<SignedRequest, "claims">> {
	const body = Buffer.from(text);
	// Not a spread, of which V8 makes an object with a hidden class of its own for each delivery.
	const all = payloadSha256
		? Object.assign({}, claims, { payload_sha256: hashBody(body) })
		: claims;
	return { url, token: sign(all), body, claims: all, secrets: [secret] };
}
