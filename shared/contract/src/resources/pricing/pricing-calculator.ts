import * as z from "zod";
import { crud } from "../../table/crud.ts";
import {
	queryBoolean,
	querySearch,
	sortQuery,
} from "../../table/list-query.ts";
import { defineWrite } from "../../table/operation.ts";
import { RecordParams } from "../../table/params.ts";
import { CurrencyRef } from "../../table/references.ts";
import { requiredLine, text, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";
import { BillingPeriod } from "../product.ts";
import { PricingCalculatorField } from "./pricing-calculator-field.ts";
import { PricingCalculatorFormula } from "./pricing-calculator-formula.ts";
import { PricingCalculatorProduct } from "./pricing-calculator-product.ts";

/* Pricing calculators. Their parts are in pricing-calculator-*.ts, the prices that they make in pricing-evaluation.ts. */

/** Only DELETE and `…/archive` make a calculator `archived`; no body sets it. */
const PricingCalculatorStatus = z.enum(["draft", "live", "archived"]);

export const SubmissionMode = z.enum(["disabled", "lead", "deal", "both"]);
export type SubmissionMode = z.infer<typeof SubmissionMode>;

const percent = () => z.number().min(0).max(100);

/** The display settings that PATCH may change. */
const patchableSettings = {
	showProductBreakdown: z.boolean(),
	showDiscounts: z.boolean(),
	showRecurringTotal: z.boolean(),
	submitButtonText: text().nullable(),
	successMessage: text(2000).nullable(),
	billingPeriods: z.array(BillingPeriod).min(1).max(3),
	/** Percent off recurring lines, by period. */
	periodDiscounts: z
		.object({ monthly: percent(), quarterly: percent(), yearly: percent() })
		.partial(),
};
const settings = {
	...patchableSettings,
	billingMode: z.enum(["single", "multiple"]),
	defaultBillingPeriod: BillingPeriod,
};

/** How a calculator is shown, and the periods that its recurring products are billed in. */
export const DisplaySettings = z.object(settings);
export type DisplaySettings = z.infer<typeof DisplaySettings>;

const switches = {
	partner_type_referral: z.boolean(),
	partner_type_reseller: z.boolean(),
	partner_type_distributor: z.boolean(),
	available_on_leads: z.boolean(),
	required_on_leads: z.boolean(),
	available_on_deals: z.boolean(),
	required_on_deals: z.boolean(),
};

/** A pricing calculator (docs/contract.md#pricing-calculator). */
export const PricingCalculator = z.object({
	uuid: z.string(),
	name: z.string(),
	description: z.string().nullable(),
	status: PricingCalculatorStatus,
	submission_mode: SubmissionMode,
	display_settings: DisplaySettings,
	...switches,
	currency: CurrencyRef.nullable(),
	fields_count: z.int(),
	products_count: z.int(),
	archived_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
	fields: z.array(PricingCalculatorField),
	products: z.array(PricingCalculatorProduct),
	formulas: z.array(PricingCalculatorFormula),
});
export type PricingCalculator = z.infer<typeof PricingCalculator>;

const writable = {
	name: requiredLine(),
	description: text(10_000).nullable(),
	currency_uuid: Uuid,
	...switches,
};

/** The currency defaults to the account's, the submission mode to `disabled`, each boolean to false. */
export const PricingCalculatorCreate = z
	.object({
		...writable,
		submission_mode: SubmissionMode,
		display_settings: z.object(settings).partial(),
	})
	.partial()
	.extend({ name: writable.name });
export type PricingCalculatorCreate = z.infer<typeof PricingCalculatorCreate>;

/** Exactly the members of the contract. The display settings are merged member by member. */
export const PricingCalculatorUpdate = z
	.object({
		...writable,
		display_settings: z.object(patchableSettings).partial(),
	})
	.partial();
export type PricingCalculatorUpdate = z.infer<typeof PricingCalculatorUpdate>;

const pricingCalculatorFilters = {
	search: querySearch().optional(),
	status: PricingCalculatorStatus.exclude(["archived"]).optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("name", "-name"),
};

const path = "/v1/pricing-calculators";
const status = {
	group: "Pricing Calculators",
	method: "POST",
	params: RecordParams,
	response: PricingCalculator,
} as const;

export const pricingCalculatorOperations = {
	...crud({
		noun: "PricingCalculator",
		plural: "PricingCalculators",
		removal: "delete",
		path,
		item: PricingCalculator,
		create: PricingCalculatorCreate,
		update: PricingCalculatorUpdate,
		filters: pricingCalculatorFilters,
		emits: { create: [], update: [], remove: [] },
	}),
	publishPricingCalculator: defineWrite({
		...status,
		path: `${path}/{uuid}/publish`,
		summary: "Make a pricing calculator live, also one that was archived",
	}),
	archivePricingCalculator: defineWrite({
		...status,
		path: `${path}/{uuid}/archive`,
		summary: "Archive a pricing calculator",
	}),
};
