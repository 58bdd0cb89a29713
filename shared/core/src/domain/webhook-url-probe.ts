import { defineActionHandler, type SomeHandlers } from "../execute/handlers.ts";

/** Looks at a URL between two transactions; nothing is stored. */
export const webhookUrlProbeHandlers: SomeHandlers<"probeWebhookUrl"> = {
	probeWebhookUrl: defineActionHandler("probeWebhookUrl", {
		plan: async ({ body }) => body.webhook_url,
		perform: (url, ports) => ports.probeWebhookUrl(url),
		settle: async (found, webhook_url) => ({
			result: { webhook_url, ...found },
			changes: [],
		}),
	}),
};
