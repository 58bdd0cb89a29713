import * as z from "zod";
import { defineAction } from "../../table/operation.ts";
import { text, timestamp } from "../../table/text.ts";

/* The check of a webhook URL. */

export const WebhookUrlProbeRequest = z
	.object({ webhook_url: text(2048) })
	.meta({ examples: [{ webhook_url: "https://crm.example/hook" }] });
export type WebhookUrlProbeRequest = z.infer<typeof WebhookUrlProbeRequest>;

/** The check of a webhook URL, step by step up to the first failure (docs/decisions.md#check-of-a-webhook-url). */
export const WebhookUrlProbe = z.object({
	webhook_url: z.string(),
	/** Whether every step succeeded. */
	ok: z.boolean(),
	checks: z.array(
		z.object({
			name: z.enum(["url", "dns", "address", "connect", "tls", "answer"]),
			ok: z.boolean(),
			message: z.string(),
			/** The advice. Also set if all is well but not for long, such as a certificate that expires soon. */
			advice: z.string().nullable(),
		}),
	),
	/** The addresses of the host name that may be called. Others are not shown. */
	addresses: z.array(z.string()),
	certificate: z
		.object({
			expires_at: timestamp(),
			issuer: z.string(),
			/** Negative once it has expired. */
			days_left: z.int(),
		})
		.nullable(),
	/** The answer to a HEAD request. */
	status: z.int().nullable(),
});
export type WebhookUrlProbe = z.infer<typeof WebhookUrlProbe>;

export const webhookUrlProbeOperations = {
	probeWebhookUrl: defineAction({
		group: "Integrations",
		method: "POST",
		path: "/v1/webhook-url-probes",
		summary:
			"Check a webhook URL now: its form, name, address, certificate and whether it answers",
		body: WebhookUrlProbeRequest,
		response: WebhookUrlProbe,
	}),
};
