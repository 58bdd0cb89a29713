import { z } from "zod";
import { text, timestamp } from "../table/text.ts";

export const WebhookUrlProbeRequest = z
	.object({ webhook_url: text(2048) })
	.meta({ examples: [{ webhook_url: "https://crm.example/hook" }] });
export type WebhookUrlProbeRequest = z.infer<typeof WebhookUrlProbeRequest>;

/** What a webhook URL leads to, tried step by step up to the first that fails; nothing is delivered. */
export const WebhookUrlProbe = z.object({
	webhook_url: z.string(),
	/** Every step went well. */
	ok: z.boolean(),
	checks: z.array(
		z.object({
			name: z.enum(["url", "dns", "address", "connect", "tls", "answer"]),
			ok: z.boolean(),
			message: z.string(),
			/** What to do about it; also where all is well but not for long. */
			advice: z.string().nullable(),
		}),
	),
	/** What the host name resolves to. */
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
