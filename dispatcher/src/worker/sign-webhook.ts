import type { SignedWebhook, WebhookRequest } from "@partnerwire/core";
import { type TokenOptions, toSignedRequest } from "./signed-requests.ts";

/** Signs a webhook as an attempt at this time would, without sending it: for receivers that catch up. */
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
