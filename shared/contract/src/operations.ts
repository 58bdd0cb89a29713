import { agreements, agreementTemplates } from "./resources/agreement.ts";
import { analyticsOperations } from "./resources/analytics.ts";
import {
	attributionOperations,
	leadAttributionOperations,
} from "./resources/attribution.ts";
import { automations } from "./resources/automation.ts";
import {
	campaignLinkOperations,
	campaigns,
	marketingTemplates,
} from "./resources/campaign.ts";
import { cardLinkOperations, cards } from "./resources/card.ts";
import { accountOperations } from "./resources/company/account.ts";
import { apiKeyOperations } from "./resources/company/api-key.ts";
import { auditOperations } from "./resources/company/audit-entry.ts";
import { currencyOperations } from "./resources/company/currency.ts";
import { userOperations } from "./resources/company/user.ts";
import { contactOperations } from "./resources/contact.ts";
import { assets } from "./resources/content/asset.ts";
import {
	certificationLinkOperations,
	certificationOperations,
} from "./resources/content/certification.ts";
import { enrollmentOperations } from "./resources/content/enrollment.ts";
import { folders } from "./resources/content/folder.ts";
import { resourceOperations } from "./resources/content/resource.ts";
import { roomOperations } from "./resources/content/room.ts";
import { customFieldOperations } from "./resources/custom-fields/custom-field.ts";
import { customFieldRuleOperations } from "./resources/custom-fields/custom-field-rule.ts";
import { customFieldValueOperations } from "./resources/custom-fields/custom-field-value.ts";
import {
	dealLinkOperations,
	dealOperations,
	paymentOperations,
} from "./resources/deal.ts";
import {
	dealPartnerOperations,
	partnerRoleOperations,
} from "./resources/deal-partner.ts";
import { labelOperations } from "./resources/label.ts";
import {
	leadContactOperations,
	leadDistributorOperations,
	leadLinkOperations,
	leadOperations,
} from "./resources/lead.ts";
import {
	dealNoteOperations,
	leadNoteOperations,
	partnerNoteOperations,
} from "./resources/note.ts";
import {
	partnerDomainOperations,
	partnerLinkOperations,
	partnerOperations,
	partnerResellerOperations,
} from "./resources/partner.ts";
import {
	commissionOperations,
	dealCommissionOperations,
} from "./resources/pricing/commission.ts";
import { pricingCalculatorOperations } from "./resources/pricing/pricing-calculator.ts";
import { pricingCalculatorFieldOperations } from "./resources/pricing/pricing-calculator-field.ts";
import { pricingCalculatorFormulaOperations } from "./resources/pricing/pricing-calculator-formula.ts";
import { pricingCalculatorProductOperations } from "./resources/pricing/pricing-calculator-product.ts";
import { pricingEvaluationOperations } from "./resources/pricing/pricing-evaluation.ts";
import {
	dealProductOperations,
	leadProductOperations,
	productOperations,
} from "./resources/product.ts";
import { quoteOperations } from "./resources/quote.ts";
import { requirementsOperations } from "./resources/requirements.ts";
import { stageOperations } from "./resources/stage.ts";
import { taskOperations } from "./resources/task.ts";
import { eventSubscriptionOperations } from "./resources/webhooks/event-subscription.ts";
import { eventTypeOperations } from "./resources/webhooks/event-type.ts";
import { integrationOperations } from "./resources/webhooks/integration.ts";
import { signingSecretOperations } from "./resources/webhooks/signing-secret.ts";
import { webhookEventOperations } from "./resources/webhooks/webhook-event.ts";
import { webhookReplayOperations } from "./resources/webhooks/webhook-replay.ts";
import { webhookTestOperations } from "./resources/webhooks/webhook-test.ts";
import { webhookUrlProbeOperations } from "./resources/webhooks/webhook-url-probe.ts";
import type {
	Operation,
	OperationArguments,
	OperationInput,
	OperationResponse,
} from "./table/operation.ts";

/**
 * The operation table, by operationId. Routes, validation, handlers and the SDK are made from it. The documents and the
 * routes keep its order.
 */
export const operations = {
	...partnerOperations,
	...partnerDomainOperations,
	...partnerNoteOperations,
	...partnerResellerOperations,
	...contactOperations,
	...leadOperations,
	...leadNoteOperations,
	...dealOperations,
	...dealNoteOperations,
	...partnerLinkOperations,
	...leadLinkOperations,
	...dealLinkOperations,
	...leadAttributionOperations,
	...leadProductOperations,
	...leadContactOperations,
	...quoteOperations,
	...leadDistributorOperations,
	...paymentOperations,
	...dealProductOperations,
	...dealCommissionOperations,
	...dealPartnerOperations,
	...partnerRoleOperations,
	...productOperations,
	...taskOperations,
	...pricingCalculatorOperations,
	...pricingCalculatorFieldOperations,
	...pricingCalculatorProductOperations,
	...pricingCalculatorFormulaOperations,
	...pricingEvaluationOperations,
	...commissionOperations,
	...requirementsOperations,
	...resourceOperations,
	...certificationOperations,
	...enrollmentOperations,
	...certificationLinkOperations,
	...roomOperations,
	...analyticsOperations,
	...stageOperations,
	...labelOperations,
	...attributionOperations,
	...customFieldOperations,
	...customFieldRuleOperations,
	...customFieldValueOperations,
	...assets.operations,
	...folders.operations,
	...agreementTemplates.operations,
	...agreements.operations,
	...marketingTemplates.operations,
	...campaigns.operations,
	...campaignLinkOperations,
	...cards.operations,
	...cardLinkOperations,
	...automations.operations,
	...currencyOperations,
	...userOperations,
	...accountOperations,
	...auditOperations,
	...apiKeyOperations,
	...integrationOperations,
	...webhookTestOperations,
	...signingSecretOperations,
	...webhookUrlProbeOperations,
	...eventTypeOperations,
	...eventSubscriptionOperations,
	...webhookEventOperations,
	...webhookReplayOperations,
	// The define functions type each row fully already. Comparing all rows with `Operation` took 3.5 of the 13 s of a type check.
} as const satisfies Record<string, Pick<Operation, "mode" | "method">>;

export type Operations = typeof operations;
export type OperationId = keyof Operations;
export const OPERATION_IDS = Object.keys(operations) as OperationId[];

/** The input that the handler of an operation receives. */
export type InputOf<Id extends OperationId> = OperationInput<Operations[Id]>;
/** The arguments that a caller of an operation passes. */
export type ArgumentsOf<Id extends OperationId> = OperationArguments<
	Operations[Id]
>;
/** The answer of an operation. */
export type ResponseOf<Id extends OperationId> = OperationResponse<
	Operations[Id]
>;
