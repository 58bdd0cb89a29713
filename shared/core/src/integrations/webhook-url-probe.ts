import { defineActionHandler, type Handlers } from "../execute/handlers.ts";

/** Looks at a URL between two transactions; nothing is stored. */
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
