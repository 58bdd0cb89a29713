import { z } from "zod";
import { LabelRef, PartnerType } from "../table/references.ts";
import { requiredLine, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

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
