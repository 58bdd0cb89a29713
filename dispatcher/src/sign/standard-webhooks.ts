import { createHmac } from "node:crypto";
import type { WebhookClaims } from "@partnerwire/wire";
import { MASK } from "./mask-claims.ts";

/*
 * Signs a webhook as Standard Webhooks (standardwebhooks.com) say, beside its token, so that their libraries verify it too
 * (docs/standard-webhooks.md).
 */

/** How to sign. The key is the UTF-8 bytes of a secret. */
export interface StandardSigning {
	/** The delivery's uuid, the same on every attempt. */
	readonly id: string;
	/** The newest first. During a rotation these are the next secret and the one that signs tokens. */
	readonly secrets: readonly string[];
}

interface Signable {
	readonly body: Uint8Array;
	readonly claims: Pick<WebhookClaims, "iat">;
	readonly secrets: readonly string[];
}

/** Adds the three headers to a signed request. If the receiver's answer echoes the signatures or secrets, they are masked there. */
export function addStandardHeaders<Request extends Signable>(
	request: Request,
	{ id, secrets }: StandardSigning,
): Request & { headers: Readonly<Record<string, string>> } {
	const { body, claims } = request;
	const start = `${id}.${claims.iat}.`;
	const signatures = secrets.map((secret) => {
		const mac = createHmac("sha256", secret).update(start).update(body);
		return mac.digest("base64");
	});
	return {
		...request,
		headers: {
			"webhook-id": id,
			"webhook-timestamp": String(claims.iat),
			"webhook-signature": signatures.map((mac) => `v1,${mac}`).join(" "),
		},
		secrets: [
			...request.secrets,
			...signatures,
			...secrets.flatMap((secret) => [
				secret,
				Buffer.from(secret).toString("base64"),
			]),
		],
	};
}

/** Copies the headers for showing: the signatures are masked. */
export const maskSignatures = (headers: Readonly<Record<string, string>>) =>
	Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			value.replaceAll(/v1,\S+/g, `v1,${MASK}`),
		]),
	);
