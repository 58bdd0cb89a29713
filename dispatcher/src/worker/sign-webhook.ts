import type { SignedWebhook, WebhookRequest } from "@partnerwire/core";
import { type TokenOptions, toSignedRequest } from "./signed-requests.ts";

/** What an attempt at the given time would send, without sending it: for a receiver that catches up. */
export function signWebhook(
	request: WebhookRequest,
	nowMs: number,
	token: Partial<TokenOptions> = {},
): SignedWebhook {
	const envelope = toSignedRequest(request, nowMs, token);
	return {
		body: new TextDecoder().decode(envelope.body),
		token: envelope.token,
	};
}
