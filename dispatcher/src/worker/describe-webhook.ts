import type { WebhookEventDetail } from "@partnerwire/contract";
import type { WebhookRequest } from "@partnerwire/core";
import { maskClaims } from "../mask-claims.ts";
import { USER_AGENT } from "../user-agent.ts";
import { type Envelope, type TokenOptions, toEnvelope } from "./envelopes.ts";

/** What goes around a body, as anybody may see it: without the token and with masked claims (decisions §2: masking). */
export const describeEnvelope = ({
	url,
	claims,
}: Envelope): WebhookEventDetail["request"] => ({
	url,
	headers: {
		"content-type": "application/json",
		authorization: "Bearer ***",
		"user-agent": USER_AGENT,
	},
	claims: maskClaims(claims),
});

/** What an attempt at the given time would send around its body, without sending it. */
export function describeWebhook(
	request: WebhookRequest,
	nowMs: number,
	token: Partial<TokenOptions> = {},
): WebhookEventDetail["request"] {
	return describeEnvelope(toEnvelope(request, nowMs, token));
}
