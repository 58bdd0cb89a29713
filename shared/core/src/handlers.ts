import { accountHandlers } from "./domain/account.ts";
import { agreementHandlers } from "./domain/agreements.ts";
import { leadsTimelineHandlers } from "./domain/analytics/leads-timeline.ts";
import { lmsHandlers } from "./domain/analytics/lms.ts";
import { partnerReportHandlers } from "./domain/analytics/partner-reports.ts";
import { apiKeyHandlers } from "./domain/api-keys.ts";
import { assets } from "./domain/assets.ts";
import { auditLogHandlers } from "./domain/audit-log.ts";
import { automations } from "./domain/automations.ts";
import { campaignHandlers } from "./domain/campaigns.ts";
import { cardHandlers } from "./domain/cards.ts";
import { coSellingHandlers } from "./domain/co-selling.ts";
import { dealCommissionHandlers } from "./domain/commissions/deal-commission.ts";
import { commissionRuleHandlers } from "./domain/commissions/rules.ts";
import { contactHandlers } from "./domain/contact-handlers.ts";
import { customFieldOptionHandlers } from "./domain/custom-field-options.ts";
import { customFieldRuleHandlers } from "./domain/custom-field-rules.ts";
import { customFieldValueHandlers } from "./domain/custom-field-values.ts";
import { customFieldHandlers } from "./domain/custom-fields.ts";
import { dealRelationHandlers } from "./domain/deal-relations.ts";
import { dealHandlers } from "./domain/deals.ts";
import { eventSubscriptionHandlers } from "./domain/event-subscriptions.ts";
import { eventTypeHandlers } from "./domain/event-types.ts";
import { folders } from "./domain/folders.ts";
import { integrationSecretHandlers } from "./domain/integration-secret.ts";
import { integrationSwitchHandlers } from "./domain/integration-switches.ts";
import { integrationTestHandlers } from "./domain/integration-test.ts";
import { integrationHandlers } from "./domain/integrations.ts";
import { leadAttributionHandlers } from "./domain/lead-attributions.ts";
import { leadRelationHandlers } from "./domain/lead-relations.ts";
import { leadHandlers } from "./domain/leads.ts";
import { certificationHandlers } from "./domain/learning/certifications.ts";
import { enrollmentHandlers } from "./domain/learning/enrollments.ts";
import { resourceHandlers } from "./domain/learning/resources.ts";
import { roomPartHandlers } from "./domain/learning/room-parts.ts";
import { roomHandlers } from "./domain/learning/rooms.ts";
import { noteHandlers } from "./domain/notes.ts";
import { partnerDomainHandlers } from "./domain/partner-domains.ts";
import { partnerResellerHandlers } from "./domain/partner-resellers.ts";
import { partnerRoleHandlers } from "./domain/partner-roles.ts";
import { partnerHandlers } from "./domain/partners.ts";
import { paymentHandlers } from "./domain/payments.ts";
import { pricingCalculatorHandlers } from "./domain/pricing-calculators/handlers.ts";
import { productHandlers } from "./domain/products.ts";
import { quoteHandlers } from "./domain/quotes.ts";
import { readOnlyHandlers } from "./domain/read-only.ts";
import { recordCustomFieldHandlers } from "./domain/record-custom-field-handlers.ts";
import { recordLinkHandlers } from "./domain/record-link-handlers.ts";
import { recordProductHandlers } from "./domain/record-products.ts";
import { requirementsHandlers } from "./domain/requirements.ts";
import { resumePreviewHandlers } from "./domain/resume-preview.ts";
import { settingHandlers } from "./domain/settings.ts";
import { stageHandlers } from "./domain/stages.ts";
import { taskHandlers } from "./domain/tasks.ts";
import { webhookEventHandlers } from "./domain/webhook-events/webhook-events.ts";
import { purgeHandlers } from "./domain/webhook-replays/purge.ts";
import { webhookReplayHandlers } from "./domain/webhook-replays/webhook-replays.ts";
import { webhookUrlProbeHandlers } from "./domain/webhook-url-probe.ts";
import type { Handlers } from "./execute/handlers.ts";

/** The handler of every operation of the table. */
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
