import type { WebhookEventDetail } from "@partnerwire/contract";
import type { WebhookRequest } from "@partnerwire/core";
import { USER_AGENT } from "../http/user-agent.ts";
import { maskClaims } from "../sign/mask-claims.ts";
import type { SignedRequest } from "../sign/seal.ts";
import { maskSignatures } from "../sign/standard-webhooks.ts";
import { type TokenOptions, toSignedRequest } from "./signed-requests.ts";

/** Describes a request without body and token, with masked claims (docs/decisions.md#request-of-a-webhook-event). */
export const describeEnvelope = ({
	url,
	claims,
	headers = {},
}: Pick<SignedRequest, "url" | "headers"> &
	Required<Pick<SignedRequest, "claims">>): WebhookEventDetail["request"] => ({
	url,
	headers: {
		"content-type": "application/json",
		authorization: "Bearer ***",
		"user-agent": USER_AGENT,
		...maskSignatures(headers),
	},
	claims: maskClaims(claims),
});

/** Describes the request of an attempt at a time, without its body and without sending it. */
export function describeWebhook(
	request: WebhookRequest,
	nowMs: number,
	token: Partial<TokenOptions> = {},
): WebhookEventDetail["request"] {
	return describeEnvelope(toSignedRequest(request, nowMs, token));
}
