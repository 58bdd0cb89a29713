import * as z from "zod";
import { crud, nestedCrud } from "../table/crud.ts";
import { links, stageLinks, tagLinks, userLinks } from "../table/links.ts";
import {
	linkFilters,
	queryBoolean,
	querySearch,
	querySet,
	sortQuery,
} from "../table/list-query.ts";
import { money } from "../table/numbers.ts";
import {
	CurrencyRef,
	CustomFieldValue,
	LabelRef,
	PartnerType,
	UserRef,
} from "../table/references.ts";
import { calendarDate, requiredLine, text, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { inlineCustomFields } from "./custom-fields/custom-field.ts";

/*
 * Deals with their payments, tags, users and stages. Their other parts: deal-partner.ts, note.ts, task.ts, the products of deals in
 * product.ts, and the commission of a deal in pricing/commission.ts.
 */

export const Deal = z.object({
	uuid: z.string(),
	label: z.string(),
	deal_value: z.number().nullable(),
	total_commission_value: z.number().nullable(),
	currency: CurrencyRef.nullable(),
	stage: LabelRef.nullable(),
	payment_stage: LabelRef.nullable(),
	lead: z.object({
		uuid: z.string(),
		company_name: z.string().nullable(),
		email: z.string().nullable(),
		first_name: z.string().nullable(),
		last_name: z.string().nullable(),
	}),
	partner: z.object({ uuid: z.string(), name: z.string() }),
	partner_type: PartnerType,
	expiration_date: z.string().nullable(),
	tags: z.array(LabelRef),
	assigned_users: z.array(UserRef),
	custom_fields: z.array(CustomFieldValue),
	archived_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Deal = z.infer<typeof Deal>;

const writable = {
	label: requiredLine(),
	deal_value: money().nullable(),
	currency_uuid: Uuid.nullable(),
	stage_uuid: Uuid.nullable(),
	payment_stage_uuid: Uuid.nullable(),
	expiration_date: calendarDate().nullable(),
	...inlineCustomFields,
};

/** The label defaults to the lead's company name (docs/decisions.md#deal-label). */
export const DealCreate = z
	.object(writable)
	.partial()
	.extend({ lead_uuid: Uuid });
export type DealCreate = z.infer<typeof DealCreate>;

export const DealUpdate = z.object(writable).partial();
export type DealUpdate = z.infer<typeof DealUpdate>;

const dealFilters = {
	...linkFilters,
	search: querySearch().optional(),
	stage_uuids: querySet(Uuid).optional(),
	lead_uuid: Uuid.optional(),
	partnership_uuid: Uuid.optional(),
	partner_type: PartnerType.optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("label", "-label"),
};

export const dealOperations = crud({
	noun: "Deal",
	plural: "Deals",
	removal: "archive",
	path: "/v1/deals",
	item: Deal,
	create: DealCreate,
	update: DealUpdate,
	filters: dealFilters,
	emits: {
		create: ["deal_created"],
		update: ["deal_updated"],
		remove: ["deal_deleted"],
	},
});

const onDeals = {
	parent: "/v1/deals/{uuid}",
	group: "Deals",
} as const;
const updated = ["deal_updated"] as const;
const changing = { ...onDeals, emits: updated };

/** A deal has at most one stage: adding one replaces the one before (docs/decisions.md#stages-of-a-record). */
export const dealLinkOperations = {
	...links({ ...changing, ...tagLinks, noun: "DealTag", plural: "DealTags" }),
	...links({
		...changing,
		...userLinks,
		noun: "DealUser",
		plural: "DealUsers",
	}),
	...links({
		...changing,
		...stageLinks,
		noun: "StageOfDeal",
		plural: "StagesOfDeal",
	}),
};

/** A payment of a deal (docs/decisions.md#payments-of-a-commission). */
export const Payment = z.object({
	uuid: z.string(),
	payment_value: z.number(),
	payment_date: z.string(),
	category: z.string().nullable(),
	approved: z.boolean(),
	completed: z.boolean(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Payment = z.infer<typeof Payment>;

const mandatory = { payment_value: money(), payment_date: calendarDate() };
const optional = {
	category: text().nullable(),
	approved: z.boolean(),
	completed: z.boolean(),
};

export const PaymentCreate = z.object(optional).partial().extend(mandatory);
export type PaymentCreate = z.infer<typeof PaymentCreate>;

export const PaymentUpdate = z.object({ ...optional, ...mandatory }).partial();
export type PaymentUpdate = z.infer<typeof PaymentUpdate>;

export const paymentOperations = nestedCrud({
	...onDeals,
	noun: "DealPayment",
	plural: "DealPayments",
	segment: "payments",
	item: Payment,
	create: PaymentCreate,
	update: PaymentUpdate,
	emits: { create: updated, update: updated, remove: updated },
});
