import * as z from "zod";
import { crud } from "../table/crud.ts";
import { links, tagLinks, userLinks } from "../table/links.ts";
import {
	linkFilters,
	queryBoolean,
	querySearch,
	querySet,
	sortQuery,
} from "../table/list-query.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, Success } from "../table/params.ts";
import {
	CustomFieldValue,
	LabelRef,
	PartnershipRef,
	UserRef,
} from "../table/references.ts";
import { email, text, timestamp, webUrl } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { inlineCustomFields } from "./custom-fields/custom-field.ts";

/*
 * Leads with their contacts, distributor, tags and users. Their other parts: attribution.ts, quote.ts, note.ts, task.ts, and the
 * products of leads in product.ts.
 */

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

const leadFilters = {
	...linkFilters,
	search: querySearch().optional(),
	partnership_uuid: Uuid.optional(),
	status: LeadStatus.optional(),
	direction: LeadDirection.optional(),
	stage_uuids: querySet(Uuid).optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery(),
};

export const leadOperations = crud({
	noun: "Lead",
	plural: "Leads",
	removal: "archive",
	path: "/v1/leads",
	item: Lead,
	create: LeadCreate,
	update: LeadUpdate,
	filters: leadFilters,
	emits: {
		create: ["lead_created"],
		update: ["lead_updated"],
		remove: ["lead_deleted"],
	},
});

const onLeads = {
	parent: "/v1/leads/{uuid}",
	group: "Leads",
	emits: ["lead_updated"],
} as const;

export const leadLinkOperations = {
	...links({ ...onLeads, ...tagLinks, noun: "LeadTag", plural: "LeadTags" }),
	...links({ ...onLeads, ...userLinks, noun: "LeadUser", plural: "LeadUsers" }),
};

export const leadContactOperations = links({
	...onLeads,
	noun: "LeadContact",
	plural: "LeadContacts",
	segment: "contacts",
	what: "contact",
	member: "contact_uuid",
	item: LeadContact,
});

const distributor = {
	group: onLeads.group,
	path: `${onLeads.parent}/distributor`,
	params: RecordParams,
} as const;

/** A lead has at most one distributor. */
export const leadDistributorOperations = {
	getLeadDistributor: defineRead({
		...distributor,
		summary: "Get the distributor of a lead, or null",
		response: PartnershipRef.nullable(),
	}),
	setLeadDistributor: defineWrite({
		...distributor,
		method: "PUT",
		summary: "Set the distributor of a lead",
		body: z.object({ distributor_uuid: Uuid }),
		response: PartnershipRef,
		emits: onLeads.emits,
	}),
	removeLeadDistributor: defineWrite({
		...distributor,
		method: "DELETE",
		summary: "Remove the distributor from a lead",
		response: Success,
		emits: onLeads.emits,
	}),
};
