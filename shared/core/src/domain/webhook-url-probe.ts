import { defineActionHandler, type Handlers } from "../execute/handlers.ts";

/** Looks at a URL between two transactions; nothing is stored. */
export const webhookUrlProbeHandlers = {
	probeWebhookUrl: defineActionHandler("probeWebhookUrl", {
		plan: async ({ body }) => body.webhook_url,
		perform: (url, ports) => ports.probeWebhookUrl(url),
		settle: async (found, webhook_url) => ({
			result: { webhook_url, ...found },
			changes: [],
		}),
	}),
} satisfies Partial<Handlers>;
