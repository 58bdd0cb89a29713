import type * as z from "zod";
import { agreements, agreementTemplates } from "../resources/agreement.ts";
import { LeadAttribution } from "../resources/attribution.ts";
import { automations } from "../resources/automation.ts";
import { campaigns, marketingTemplates } from "../resources/campaign.ts";
import { cards } from "../resources/card.ts";
import { ApiKey } from "../resources/company/api-key.ts";
import { assets } from "../resources/content/asset.ts";
import { Certification } from "../resources/content/certification.ts";
import { Block } from "../resources/content/content.ts";
import { Enrollment, EnrollmentRow } from "../resources/content/enrollment.ts";
import { folders } from "../resources/content/folder.ts";
import { Resource } from "../resources/content/resource.ts";
import { Room, SecureFile } from "../resources/content/room.ts";
import {
	CustomField,
	CustomFieldOption,
} from "../resources/custom-fields/custom-field.ts";
import { CustomFieldRule } from "../resources/custom-fields/custom-field-rule.ts";
import {
	RecordCustomField,
	StoredCustomFieldValue,
} from "../resources/custom-fields/custom-field-value.ts";
import { Deal, Payment } from "../resources/deal.ts";
import { DealPartner, PartnerRole } from "../resources/deal-partner.ts";
import { Lead } from "../resources/lead.ts";
import { Note } from "../resources/note.ts";
import { Partner } from "../resources/partner.ts";
import {
	Commission,
	CommissionCalculation,
} from "../resources/pricing/commission.ts";
import { PricingCalculator } from "../resources/pricing/pricing-calculator.ts";
import { PricingCalculatorField } from "../resources/pricing/pricing-calculator-field.ts";
import { PricingCalculatorFormula } from "../resources/pricing/pricing-calculator-formula.ts";
import { PricingCalculatorProduct } from "../resources/pricing/pricing-calculator-product.ts";
import { PricingEvaluation } from "../resources/pricing/pricing-evaluation.ts";
import { Product, ProductRef, RecordProduct } from "../resources/product.ts";
import { Quote } from "../resources/quote.ts";
import { Requirements } from "../resources/requirements.ts";
import { Task } from "../resources/task.ts";
import { EventSubscription } from "../resources/webhooks/event-subscription.ts";
import { EventType } from "../resources/webhooks/event-type.ts";
import { Integration } from "../resources/webhooks/integration.ts";
import {
	ContactPayload,
	DealPayload,
	LeadPayload,
	MessagePayload,
	NotePayload,
	PartnershipPayload,
} from "../resources/webhooks/payload.ts";
import { ErrorBody } from "../table/errors.ts";
import { Pagination } from "../table/list-query.ts";
import { Success } from "../table/params.ts";
import {
	CurrencyRef,
	CustomFieldValue,
	LabelRef,
	PartnershipRef,
	UserRef,
} from "../table/references.ts";

/** The schemas of answers that the OpenAPI document names. All others are written out where they are used. */
export const NAMED_SCHEMAS = {
	Agreement: agreements.item,
	AgreementTemplate: agreementTemplates.item,
	ApiKey,
	Asset: assets.item,
	Block,
	Certification,
	Automation: automations.item,
	Campaign: campaigns.item,
	Card: cards.item,
	Commission,
	CommissionCalculation,
	ContactPayload,
	CurrencyRef,
	CustomField,
	CustomFieldOption,
	CustomFieldRule,
	CustomFieldValue,
	Deal,
	DealPartner,
	DealPayload,
	Enrollment,
	EnrollmentRow,
	ErrorBody,
	EventSubscription,
	EventType,
	Folder: folders.item,
	Integration,
	LabelRef,
	Lead,
	LeadAttribution,
	LeadPayload,
	MarketingTemplate: marketingTemplates.item,
	MessagePayload,
	Note,
	NotePayload,
	Pagination,
	Partner,
	PartnerRole,
	PartnershipPayload,
	PartnershipRef,
	Payment,
	PricingCalculator,
	PricingCalculatorField,
	PricingCalculatorFormula,
	PricingCalculatorProduct,
	PricingEvaluation,
	Product,
	ProductRef,
	Quote,
	RecordCustomField,
	RecordProduct,
	Requirements,
	Resource,
	Room,
	SecureFile,
	StoredCustomFieldValue,
	Success,
	Task,
	UserRef,
} as const satisfies Record<string, z.ZodType>;
