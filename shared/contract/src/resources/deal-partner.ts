import * as z from "zod";
import { crud } from "../table/crud.ts";
import { sortQuery } from "../table/list-query.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, SubRecordParams, Success } from "../table/params.ts";
import { LabelRef, PartnerType } from "../table/references.ts";
import { requiredLine, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

/* The supporting partners of a deal, and the roles that they may have. */

/** The role of a supporting partner on a deal (docs/decisions.md#partner-roles). */
export const PartnerRole = z.object({
	uuid: z.string(),
	label: z.string(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type PartnerRole = z.infer<typeof PartnerRole>;

export const PartnerRoleCreate = z.object({ label: requiredLine() });
export type PartnerRoleCreate = z.infer<typeof PartnerRoleCreate>;

export const PartnerRoleUpdate = PartnerRoleCreate.partial();
export type PartnerRoleUpdate = z.infer<typeof PartnerRoleUpdate>;

/** A supporting partner of a deal; `uuid` is the partner's (docs/decisions.md#supporting-partners). */
export const DealPartner = z.object({
	uuid: z.string(),
	name: z.string(),
	partner_type: PartnerType,
	role: LabelRef.nullable(),
	created_at: timestamp(),
});
export type DealPartner = z.infer<typeof DealPartner>;

export const DealPartnerAdd = z.object({
	partnership_uuid: Uuid,
	role_uuid: Uuid.nullable().optional(),
});
export type DealPartnerAdd = z.infer<typeof DealPartnerAdd>;

const group = "Deals";
const supporting = {
	group,
	module: "co_selling",
	path: "/v1/deals/{uuid}/partners",
	params: RecordParams,
} as const;

export const dealPartnerOperations = {
	listDealPartners: defineRead({
		...supporting,
		summary: "List the supporting partners of a deal",
		response: z.array(DealPartner),
	}),
	addDealPartner: defineWrite({
		...supporting,
		method: "POST",
		summary: "Add a supporting partner to a deal, and its contacts to the lead",
		body: DealPartnerAdd,
		response: DealPartner,
		status: 201,
		emits: ["deal_updated", "lead_updated"],
	}),
	removeDealPartner: defineWrite({
		...supporting,
		method: "DELETE",
		path: `${supporting.path}/{subUuid}`,
		params: SubRecordParams,
		summary: "Remove a supporting partner from a deal",
		response: Success,
		emits: ["deal_updated", "lead_updated"],
	}),
};

/** The roles that supporting partners may have on deals. */
export const partnerRoleOperations = crud({
	noun: "PartnerRole",
	plural: "PartnerRoles",
	group,
	removal: "delete",
	path: "/v1/deals/partner-roles",
	item: PartnerRole,
	create: PartnerRoleCreate,
	update: PartnerRoleUpdate,
	filters: { sort: sortQuery("label", "-label") },
});
