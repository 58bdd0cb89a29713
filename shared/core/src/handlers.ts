import { apiKeyHandlers } from "./domain/api-keys.ts";
import { coSellingHandlers } from "./domain/co-selling.ts";
import { dealRelationHandlers } from "./domain/deal-relations.ts";
import { dealHandlers } from "./domain/deals.ts";
import { integrationSwitchHandlers } from "./domain/integration-switches.ts";
import { integrationTestHandlers } from "./domain/integration-test.ts";
import { integrationHandlers } from "./domain/integrations.ts";
import { leadAttributionHandlers } from "./domain/lead-attributions.ts";
import { leadRelationHandlers } from "./domain/lead-relations.ts";
import { leadHandlers } from "./domain/leads.ts";
import { noteHandlers } from "./domain/notes.ts";
import { paymentHandlers } from "./domain/payments.ts";
import { productHandlers } from "./domain/products.ts";
import { quoteHandlers } from "./domain/quotes.ts";
import { recordProductHandlers } from "./domain/record-products.ts";
import { requirementsHandlers } from "./domain/requirements.ts";
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
	...leadAttributionHandlers,
	...leadRelationHandlers,
	...quoteHandlers,
	...coSellingHandlers,
	...dealRelationHandlers,
	...paymentHandlers,
	...recordProductHandlers,
	...productHandlers,
	...requirementsHandlers,
	...apiKeyHandlers,
	...integrationHandlers,
	...integrationSwitchHandlers,
	...integrationTestHandlers,
	...webhookEventHandlers,
};
