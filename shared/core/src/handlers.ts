import { apiKeyHandlers } from "./domain/api-keys.ts";
import { dealHandlers } from "./domain/deals.ts";
import { integrationSwitchHandlers } from "./domain/integration-switches.ts";
import { integrationTestHandlers } from "./domain/integration-test.ts";
import { integrationHandlers } from "./domain/integrations.ts";
import { leadHandlers } from "./domain/leads.ts";
import { noteHandlers } from "./domain/notes.ts";
import { partnerHandlers } from "./domain/partners.ts";
import { webhookEventHandlers } from "./domain/webhook-events/webhook-events.ts";
import { recordLinkHandlers } from "./domain/record-link-handlers.ts";
import type { Handlers } from "./execute/handlers.ts";

/** The handler of every operation of the table. */
export const handlers: Handlers = {
	...partnerHandlers,
	...leadHandlers,
	...dealHandlers,
	...noteHandlers,
	...recordLinkHandlers,
	...apiKeyHandlers,
	...integrationHandlers,
	...integrationSwitchHandlers,
	...integrationTestHandlers,
	...webhookEventHandlers,
};
