import type { SignedWebhook, WebhookRequest } from "@partnerwire/core";
import { createSigner } from "../signer.ts";
import { TOKEN_DEFAULTS, type TokenOptions, toEnvelope } from "./envelopes.ts";

/** What an attempt at the given time would send, without sending it: for a receiver that catches up. */
export function signWebhook(
	request: WebhookRequest,
	nowMs: number,
	token: Partial<TokenOptions> = {},
): SignedWebhook {
	const envelope = toEnvelope(request, createSigner(request.secret), nowMs, {
		...TOKEN_DEFAULTS,
		...token,
	});
	return {
		body: new TextDecoder().decode(envelope.body),
		token: envelope.token,
	};
}
