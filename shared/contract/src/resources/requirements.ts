import * as z from "zod";
import { defineRead } from "../table/operation.ts";
import { PartnerType } from "../table/references.ts";
import { Uuid } from "../table/uuid.ts";
import {
	CustomFieldChoice,
	CustomFieldType,
} from "./custom-fields/custom-field.ts";
import { CustomFieldRule } from "./custom-fields/custom-field-rule.ts";

/* What a lead or a deal of a partner must say. */

/** The members that a lead or a deal of a partner must have (docs/decisions.md#requirements). */
export const Requirements = z.object({
	partnership_uuid: z.string(),
	partner_type: PartnerType,
	/** Named as the categories of custom fields are. */
	entity: z.enum(["lead", "lead_deal"]),
	standard_fields: z.array(
		z.object({ name: z.string(), required: z.boolean() }),
	),
	custom_fields: z.array(
		z.object({
			uuid: z.string(),
			id: z.int(),
			label: z.string(),
			type: CustomFieldType,
			required: z.boolean(),
			partner_type: PartnerType.nullable(),
			help_text: z.string().nullable(),
			link: z.string().nullable(),
			options: z.array(CustomFieldChoice),
			initially_visible: z.boolean(),
			rules: z.array(CustomFieldRule),
		}),
	),
});
export type Requirements = z.infer<typeof Requirements>;

const params = z.object({ partnershipId: Uuid });

/** The contract has the singular `partner` in this path. */
export const requirementsOperations = {
	getLeadRequirements: defineRead({
		group: "Partners",
		path: "/v1/partner/{partnershipId}/leads/requirements",
		summary: "Get what a lead of a partner must say",
		params,
		response: Requirements,
	}),
	getDealRequirements: defineRead({
		group: "Partners",
		path: "/v1/partner/{partnershipId}/deals/requirements",
		summary: "Get what a deal of a partner must say",
		params,
		response: Requirements,
	}),
};
