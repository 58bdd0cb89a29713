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
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, SubRecordParams, Success } from "../table/params.ts";
import {
	CustomFieldValue,
	LabelRef,
	PartnershipRef,
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

/* Partners with their domains, resellers, tags, users and stages. Their contacts are in contact.ts, their notes in note.ts. */

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

const partnerFilters = {
	...linkFilters,
	search: querySearch().optional(),
	partner_type: PartnerType.optional(),
	stage_uuids: querySet(Uuid).optional(),
	tier_uuids: querySet(Uuid).optional(),
	category_uuids: querySet(Uuid).optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("name", "-name"),
};

export const partnerOperations = crud({
	noun: "Partner",
	plural: "Partners",
	removal: "archive",
	path: "/v1/partners",
	item: Partner,
	create: PartnerCreate,
	update: PartnerUpdate,
	filters: partnerFilters,
	emits: {
		create: ["partner_created"],
		update: ["partner_updated"],
		remove: ["partner_updated"],
	},
});

/** An internet domain of a partner; one of them is the primary one. */
export const PartnerDomain = z.object({
	uuid: z.string(),
	domain: z.string(),
	is_primary: z.boolean(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type PartnerDomain = z.infer<typeof PartnerDomain>;

const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?";
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)+${LABEL}$`, "u");

/** A host name with a dot, without scheme, port or path; kept in lower case. */
const domain = text(253)
	.refine((value) => DOMAIN.test(value), {
		error: "must be a domain such as example.com",
	})
	.transform((value) => value.toLowerCase());

/** The first domain of a partner is its primary one, whatever the body says. */
export const PartnerDomainCreate = z.object({
	domain,
	is_primary: z.boolean().default(false),
});
export type PartnerDomainCreate = z.infer<typeof PartnerDomainCreate>;

/** To change the primary domain, make another one primary. */
export const PartnerDomainUpdate = z
	.object({ domain, is_primary: z.boolean() })
	.partial();
export type PartnerDomainUpdate = z.infer<typeof PartnerDomainUpdate>;

const updated = ["partner_updated"] as const;
const onPartners = {
	parent: "/v1/partners/{uuid}",
	group: "Partners",
} as const;

export const partnerDomainOperations = nestedCrud({
	...onPartners,
	noun: "PartnerDomain",
	plural: "PartnerDomains",
	segment: "domains",
	item: PartnerDomain,
	create: PartnerDomainCreate,
	update: PartnerDomainUpdate,
	emits: { create: updated, update: updated, remove: updated },
});

const resellers = {
	group: onPartners.group,
	path: `${onPartners.parent}/resellers`,
	params: RecordParams,
} as const;

/** The resellers of a distributor. */
export const partnerResellerOperations = {
	listPartnerResellers: defineRead({
		...resellers,
		summary: "List the resellers of a distributor",
		response: z.array(PartnershipRef),
	}),
	addPartnerReseller: defineWrite({
		...resellers,
		method: "POST",
		summary: "Add a reseller to a distributor",
		body: z.object({ reseller_uuid: Uuid }),
		response: PartnershipRef,
		emits: updated,
	}),
	removePartnerReseller: defineWrite({
		...resellers,
		method: "DELETE",
		path: `${resellers.path}/{subUuid}`,
		params: SubRecordParams,
		summary: "Remove a reseller from a distributor",
		response: Success,
		emits: updated,
	}),
};

const changing = { ...onPartners, emits: updated };

/** A partner has at most one stage: adding one replaces the one before (docs/decisions.md#stages-of-a-record). */
export const partnerLinkOperations = {
	...links({
		...changing,
		...tagLinks,
		noun: "PartnerTag",
		plural: "PartnerTags",
	}),
	...links({
		...changing,
		...userLinks,
		noun: "PartnerUser",
		plural: "PartnerUsers",
	}),
	...links({
		...changing,
		...stageLinks,
		noun: "StageOfPartner",
		plural: "StagesOfPartner",
	}),
};
