import { defineActionHandler, type Handlers } from "../execute/handlers.ts";

/** Checks a webhook URL between two transactions (docs/decisions.md#check-of-a-webhook-url). Nothing is stored. */
export const webhookUrlProbeHandlers = {
	probeWebhookUrl: defineActionHandler("probeWebhookUrl", {
		plan: async ({ body }, { caller }) => ({
			url: body.webhook_url,
			companyUuid: caller.companyUuid,
		}),
		perform: ({ url, companyUuid }, ports) =>
			ports.probeWebhookUrl(url, companyUuid),
		finish: async (found, { url }) => ({
			result: { webhook_url: url, ...found },
			changes: [],
		}),
	}),
} satisfies Partial<Handlers>;
