import { z } from "zod";
import { queryBoolean, querySearch, querySet } from "../table/list-query.ts";
import {
	CustomFieldValue,
	LabelRef,
	PartnerType,
	UserRef,
} from "../table/references.ts";
import {
	email,
	instant,
	requiredLine,
	text,
	timestamp,
	webUrl,
} from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { inlineCustomFields } from "./custom-fields/custom-field.ts";
import { linkFilters } from "./link-filters.ts";
import { sortQuery } from "./sort.ts";

/** A partner; its uuid is the partnership uuid everywhere. */
export const Partner = z.object({
	uuid: z.string(),
	name: z.string(),
	email: z.string().nullable(),
	phone_number: z.string().nullable(),
	website_url: z.string().nullable(),
	description: z.string().nullable(),
	partner_type: PartnerType,
	stage: LabelRef.nullable(),
	tier: LabelRef.nullable(),
	category: LabelRef.nullable(),
	tags: z.array(LabelRef),
	assigned_users: z.array(UserRef),
	domains: z.array(
		z.object({ uuid: z.string(), domain: z.string(), is_primary: z.boolean() }),
	),
	custom_fields: z.array(CustomFieldValue),
	accepted_at: timestamp().nullable(),
	invited_at: timestamp().nullable(),
	archived_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Partner = z.infer<typeof Partner>;

const optional = {
	email: email().nullable(),
	phone_number: text(64).nullable(),
	website_url: webUrl().nullable(),
	description: text(10_000).nullable(),
	stage_uuid: Uuid.nullable(),
	tier_uuid: Uuid.nullable(),
	category_uuid: Uuid.nullable(),
	accepted_at: instant().nullable(),
	invited_at: instant().nullable(),
	...inlineCustomFields,
};
const mandatory = { name: requiredLine(), partner_type: PartnerType };

export const PartnerCreate = z.object(optional).partial().extend(mandatory);
export type PartnerCreate = z.infer<typeof PartnerCreate>;

export const PartnerUpdate = z.object({ ...optional, ...mandatory }).partial();
export type PartnerUpdate = z.infer<typeof PartnerUpdate>;

export const partnerFilters = {
	...linkFilters,
	search: querySearch().optional(),
	partner_type: PartnerType.optional(),
	stage_uuids: querySet(Uuid).optional(),
	tier_uuids: querySet(Uuid).optional(),
	category_uuids: querySet(Uuid).optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("name", "-name"),
};
