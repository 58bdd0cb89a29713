import type { WebhookEventDetail } from "@partnerwire/contract";
import type { WebhookRequest } from "@partnerwire/core";
import { USER_AGENT } from "../http/user-agent.ts";
import { maskClaims } from "../sign/mask-claims.ts";
import {
	type SignedDelivery,
	type TokenOptions,
	toSignedRequest,
} from "./signed-requests.ts";

/** What goes around a body, as anybody may see it: without the token and with masked claims (decisions §2: masking). */
export const describeEnvelope = ({
	url,
	claims,
}: SignedDelivery): WebhookEventDetail["request"] => ({
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
	return describeEnvelope(toSignedRequest(request, nowMs, token));
}
