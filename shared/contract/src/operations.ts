import { agreementTemplates } from "./groups/agreement-templates.ts";
import { automations } from "./groups/automations.ts";
import { marketingTemplates } from "./groups/marketing-templates.ts";
import { accountOperations, apiKeyOperations } from "./operations/access.ts";
import { analyticsOperations } from "./operations/analytics.ts";
import { commissionOperations } from "./operations/commissions.ts";
import {
	labelOperations,
	readOnlyOperations,
	stageOperations,
} from "./operations/configuration.ts";
import { customFieldValueOperations } from "./operations/custom-field-values.ts";
import { customFieldOperations } from "./operations/custom-fields.ts";
import {
	dealPartOperations,
	partnerRoleOperations,
} from "./operations/deal-parts.ts";
import { integrationOperations } from "./operations/integrations.ts";
import { leadPartOperations } from "./operations/lead-parts.ts";
import {
	certificationOperations,
	resourceOperations,
} from "./operations/learning.ts";
import { linkOperations } from "./operations/links.ts";
import {
	contactOperations,
	partnerPartOperations,
} from "./operations/partner-parts.ts";
import { pricingCalculatorOperations } from "./operations/pricing-calculators.ts";
import { productOperations } from "./operations/products.ts";
import {
	dealNoteOperations,
	dealOperations,
	leadNoteOperations,
	leadOperations,
	partnerOperations,
} from "./operations/records.ts";
import { requirementsOperations } from "./operations/requirements.ts";
import { roomOperations } from "./operations/rooms.ts";
import { taskOperations } from "./operations/tasks.ts";
import { webhookEventOperations } from "./operations/webhook-events.ts";
import { webhookReplayOperations } from "./operations/webhook-replays.ts";
import { agreements } from "./resources/agreement.ts";
import { campaignLinkOperations, campaigns } from "./resources/campaign.ts";
import { cardLinkOperations, cards } from "./resources/card.ts";
import { assets } from "./resources/content/asset.ts";
import { folders } from "./resources/content/folder.ts";
import { eventSubscriptionOperations } from "./resources/webhooks/event-subscription.ts";
import { eventTypeOperations } from "./resources/webhooks/event-type.ts";
import type {
	Operation,
	OperationArguments,
	OperationInput,
	OperationResponse,
} from "./table/operation.ts";

/** The operation table, by operationId. Routes, validation, handlers and the SDK are made from it. */
export const operations = {
	...partnerOperations,
	...partnerPartOperations,
	...contactOperations,
	...leadOperations,
	...leadNoteOperations,
	...dealOperations,
	...dealNoteOperations,
	...linkOperations,
	...leadPartOperations,
	...dealPartOperations,
	...partnerRoleOperations,
	...productOperations,
	...taskOperations,
	...pricingCalculatorOperations,
	...commissionOperations,
	...requirementsOperations,
	...resourceOperations,
	...certificationOperations,
	...roomOperations,
	...analyticsOperations,
	...stageOperations,
	...labelOperations,
	...customFieldOperations,
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
	...readOnlyOperations,
	...accountOperations,
	...apiKeyOperations,
	...integrationOperations,
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
