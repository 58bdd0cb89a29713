import type { z } from "zod";
import { agreementTemplates } from "../groups/agreement-templates.ts";
import { agreements } from "../groups/agreements.ts";
import { assets } from "../groups/assets.ts";
import { automations } from "../groups/automations.ts";
import { campaigns } from "../groups/campaigns.ts";
import { cards } from "../groups/cards.ts";
import { EventSubscription } from "../groups/event-subscriptions.ts";
import { EventType } from "../groups/event-types.ts";
import { folders } from "../groups/folders.ts";
import { marketingTemplates } from "../groups/marketing-templates.ts";
import {
	ContactPayload,
	DealPayload,
	LeadPayload,
	MessagePayload,
	NotePayload,
	PartnershipPayload,
} from "../payloads.ts";
import { ApiKey } from "../resources/api-key.ts";
import { Block } from "../resources/block.ts";
import { Certification } from "../resources/certification.ts";
import { Commission, CommissionCalculation } from "../resources/commission.ts";
import { CustomField, CustomFieldOption } from "../resources/custom-field.ts";
import { CustomFieldRule } from "../resources/custom-field-rule.ts";
import {
	RecordCustomField,
	StoredCustomFieldValue,
} from "../resources/custom-field-value.ts";
import { Deal } from "../resources/deal.ts";
import { DealPartner, PartnerRole } from "../resources/deal-partner.ts";
import { Enrollment, EnrollmentRow } from "../resources/enrollment.ts";
import { Integration } from "../resources/integration.ts";
import { Lead } from "../resources/lead.ts";
import { LeadAttribution } from "../resources/lead-attribution.ts";
import { Note } from "../resources/note.ts";
import { Partner } from "../resources/partner.ts";
import { Payment } from "../resources/payment.ts";
import { PricingCalculator } from "../resources/pricing-calculator.ts";
import { PricingCalculatorField } from "../resources/pricing-calculator-field.ts";
import { PricingCalculatorFormula } from "../resources/pricing-calculator-formula.ts";
import { PricingCalculatorProduct } from "../resources/pricing-calculator-product.ts";
import { PricingEvaluation } from "../resources/pricing-evaluation.ts";
import { Product, ProductRef, RecordProduct } from "../resources/product.ts";
import { Quote } from "../resources/quote.ts";
import {
	CurrencyRef,
	CustomFieldValue,
	LabelRef,
	PartnershipRef,
	UserRef,
} from "../resources/references.ts";
import { Requirements } from "../resources/requirements.ts";
import { Resource } from "../resources/resource.ts";
import { Room, SecureFile } from "../resources/room.ts";
import { Task } from "../resources/task.ts";
import { ErrorBody } from "../table/errors.ts";
import { Pagination } from "../table/pagination.ts";
import { Success } from "../table/params.ts";

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
