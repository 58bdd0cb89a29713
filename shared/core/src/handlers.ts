import { leadsTimelineHandlers } from "./analytics/leads-timeline.ts";
import { lmsHandlers } from "./analytics/lms.ts";
import { partnerReportHandlers } from "./analytics/partner-reports.ts";
import { commissionRuleHandlers } from "./commissions/rules.ts";
import { accountHandlers } from "./company/account.ts";
import { apiKeyHandlers } from "./company/api-keys.ts";
import { auditLogHandlers } from "./company/audit-log.ts";
import { readOnlyHandlers } from "./company/read-only.ts";
import { settingHandlers } from "./company/settings.ts";
import { stageHandlers } from "./company/stages.ts";
import { agreementHandlers } from "./content/agreements.ts";
import { assets } from "./content/assets.ts";
import { automations } from "./content/automations.ts";
import { campaignHandlers } from "./content/campaigns.ts";
import { cardHandlers } from "./content/cards.ts";
import { folders } from "./content/folders.ts";
import { customFieldOptionHandlers } from "./custom-fields/custom-field-options.ts";
import { customFieldRuleHandlers } from "./custom-fields/custom-field-rules.ts";
import { customFieldHandlers } from "./custom-fields/custom-fields.ts";
import { coSellingHandlers } from "./deals/co-selling.ts";
import { dealCommissionHandlers } from "./deals/deal-commission.ts";
import { dealRelationHandlers } from "./deals/deal-relations.ts";
import { dealHandlers } from "./deals/deals.ts";
import { partnerRoleHandlers } from "./deals/partner-roles.ts";
import { paymentHandlers } from "./deals/payments.ts";
import type { Handlers } from "./execute/handlers.ts";
import { eventSubscriptionHandlers } from "./integrations/event-subscriptions.ts";
import { eventTypeHandlers } from "./integrations/event-types.ts";
import { integrationSecretHandlers } from "./integrations/integration-secret.ts";
import { integrationSwitchHandlers } from "./integrations/integration-switches.ts";
import { integrationTestHandlers } from "./integrations/integration-test.ts";
import { integrationHandlers } from "./integrations/integrations.ts";
import { resumePreviewHandlers } from "./integrations/resume-preview.ts";
import { webhookUrlProbeHandlers } from "./integrations/webhook-url-probe.ts";
import { leadAttributionHandlers } from "./leads/lead-attributions.ts";
import { leadRelationHandlers } from "./leads/lead-relations.ts";
import { leadHandlers } from "./leads/leads.ts";
import { quoteHandlers } from "./leads/quotes.ts";
import { certificationHandlers } from "./learning/certifications.ts";
import { enrollmentHandlers } from "./learning/enrollments.ts";
import { resourceHandlers } from "./learning/resources.ts";
import { roomPartHandlers } from "./learning/room-parts.ts";
import { roomHandlers } from "./learning/rooms.ts";
import { contactHandlers } from "./partners/contacts.ts";
import { partnerDomainHandlers } from "./partners/partner-domains.ts";
import { partnerResellerHandlers } from "./partners/partner-resellers.ts";
import { partnerHandlers } from "./partners/partners.ts";
import { pricingCalculatorHandlers } from "./pricing/handlers.ts";
import { productHandlers } from "./products/products.ts";
import { customFieldValueHandlers } from "./records/custom-field-values.ts";
import { noteHandlers } from "./records/notes.ts";
import { recordCustomFieldHandlers } from "./records/record-custom-field-handlers.ts";
import { recordLinkHandlers } from "./records/record-link-handlers.ts";
import { recordProductHandlers } from "./records/record-products.ts";
import { requirementsHandlers } from "./records/requirements.ts";
import { taskHandlers } from "./tasks/tasks.ts";
import { purgeHandlers } from "./webhook-events/replays/purge.ts";
import { webhookReplayHandlers } from "./webhook-events/replays/webhook-replays.ts";
import { webhookEventHandlers } from "./webhook-events/webhook-events.ts";

/** The handler of every operation of the table. A feature's handlers are listed here. */
export const handlers: Handlers = {
	...partnerHandlers,
	...partnerDomainHandlers,
	...partnerResellerHandlers,
	...contactHandlers,
	...leadHandlers,
	...dealHandlers,
	...noteHandlers,
	...recordLinkHandlers,
	...leadAttributionHandlers,
	...leadRelationHandlers,
	...quoteHandlers,
	...coSellingHandlers,
	...partnerRoleHandlers,
	...dealRelationHandlers,
	...paymentHandlers,
	...dealCommissionHandlers,
	...commissionRuleHandlers,
	...recordProductHandlers,
	...productHandlers,
	...taskHandlers,
	...pricingCalculatorHandlers,
	...requirementsHandlers,
	...resourceHandlers,
	...certificationHandlers,
	...enrollmentHandlers,
	...roomHandlers,
	...roomPartHandlers,
	...lmsHandlers,
	...partnerReportHandlers,
	...leadsTimelineHandlers,
	...stageHandlers,
	...settingHandlers,
	...customFieldHandlers,
	...customFieldOptionHandlers,
	...customFieldRuleHandlers,
	...customFieldValueHandlers,
	...recordCustomFieldHandlers,
	...assets.handlers,
	...folders.handlers,
	...agreementHandlers,
	...campaignHandlers,
	...cardHandlers,
	...automations.handlers,
	...eventTypeHandlers,
	...eventSubscriptionHandlers,
	...readOnlyHandlers,
	...accountHandlers,
	...auditLogHandlers,
	...apiKeyHandlers,
	...integrationHandlers,
	...integrationSwitchHandlers,
	...integrationSecretHandlers,
	...resumePreviewHandlers,
	...integrationTestHandlers,
	...webhookUrlProbeHandlers,
	...webhookEventHandlers,
	...webhookReplayHandlers,
	...purgeHandlers,
};
