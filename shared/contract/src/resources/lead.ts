import { z } from "zod";
import { queryBoolean, querySearch, querySet } from "../table/list-query.ts";
import {
	CustomFieldValue,
	LabelRef,
	PartnershipRef,
	UserRef,
} from "../table/references.ts";
import { email, text, timestamp, webUrl } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { inlineCustomFields } from "./custom-fields/custom-field.ts";
import { linkFilters } from "./link-filters.ts";
import { sortQuery } from "./sort.ts";

export const LeadStatus = z.enum([
	"new",
	"contacted",
	"qualified",
	"converted",
	"lost",
]);
export type LeadStatus = z.infer<typeof LeadStatus>;

export const LeadDirection = z.enum(["received", "sent"]);
export type LeadDirection = z.infer<typeof LeadDirection>;

/** A contact of a partner, as a lead shows it. */
export const LeadContact = z.object({ uuid: z.string(), email: z.string() });
export type LeadContact = z.infer<typeof LeadContact>;

export const Lead = z.object({
	uuid: z.string(),
	first_name: z.string().nullable(),
	last_name: z.string().nullable(),
	email: z.string().nullable(),
	phone_number: z.string().nullable(),
	company_name: z.string().nullable(),
	website: z.string().nullable(),
	status: LeadStatus,
	stage: LabelRef.nullable(),
	source: z.string().nullable(),
	direction: LeadDirection.nullable(),
	partnership: PartnershipRef,
	distributor: PartnershipRef.nullable(),
	tags: z.array(LabelRef),
	assigned_users: z.array(UserRef),
	contacts: z.array(LeadContact),
	custom_fields: z.array(CustomFieldValue),
	archived_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Lead = z.infer<typeof Lead>;

const writable = {
	first_name: text().nullable(),
	last_name: text().nullable(),
	email: email().nullable(),
	phone_number: text(64).nullable(),
	company_name: text().nullable(),
	website: webUrl().nullable(),
	stage_uuid: Uuid.nullable(),
	source: text().nullable(),
	direction: LeadDirection.nullable(),
	...inlineCustomFields,
};

/** `partnership_uuid` is required (docs/contract.md#operations-with-given-shapes). */
export const LeadCreate = z
	.object(writable)
	.partial()
	.extend({ partnership_uuid: Uuid, status: LeadStatus.default("new") });
export type LeadCreate = z.infer<typeof LeadCreate>;

export const LeadUpdate = z
	.object({ ...writable, status: LeadStatus, partnership_uuid: Uuid })
	.partial();
export type LeadUpdate = z.infer<typeof LeadUpdate>;

export const leadFilters = {
	...linkFilters,
	search: querySearch().optional(),
	partnership_uuid: Uuid.optional(),
	status: LeadStatus.optional(),
	direction: LeadDirection.optional(),
	stage_uuids: querySet(Uuid).optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery(),
};
