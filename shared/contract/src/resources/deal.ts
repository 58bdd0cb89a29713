import { z } from "zod";
import { queryBoolean, querySearch, querySet } from "../table/list-query.ts";
import { money } from "../table/numbers.ts";
import {
	CurrencyRef,
	CustomFieldValue,
	LabelRef,
	PartnerType,
	UserRef,
} from "../table/references.ts";
import { calendarDate, requiredLine, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { inlineCustomFields } from "./custom-fields/custom-field.ts";
import { linkFilters } from "./link-filters.ts";
import { sortQuery } from "./sort.ts";

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

/** Money in whole currency units: small enough that its minor units stay exact (docs/decisions.md#money). */

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

export const dealFilters = {
	...linkFilters,
	search: querySearch().optional(),
	stage_uuids: querySet(Uuid).optional(),
	lead_uuid: Uuid.optional(),
	partnership_uuid: Uuid.optional(),
	partner_type: PartnerType.optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("label", "-label"),
};
