import * as z from "zod";
import { configuration } from "../table/crud.ts";
import { series } from "../table/numbers.ts";
import { PartnerType } from "../table/references.ts";
import { requiredLine } from "../table/text.ts";
import { labelled } from "./label.ts";

/* The stages of deals, leads and partners. */

const DEAL_PHASES = [
	"discovery",
	"negotiation",
	"closed_won",
	"closed_lost",
] as const;
const PARTNER_PHASES = [
	"discovery",
	"evaluation",
	"active",
	"inactive",
] as const;

/** A stage of a pipeline; commissions refer to it by its integer `id` (docs/decisions.md#integer-ids). */
export const Stage = z.object({
	id: z.int(),
	...labelled,
	series: z.int(),
	partner_type: PartnerType.nullable(),
	phase: z.string().nullable(),
});
export type Stage = z.infer<typeof Stage>;

const stageSchemas = <Phase extends z.ZodType>(phase: Phase) => {
	const optional = { series: series(), phase };
	const required = { label: requiredLine(), partner_type: PartnerType };
	return {
		create: z.object(optional).partial().extend(required),
		update: z.object({ ...optional, ...required }).partial(),
	};
};

/** The bodies of the stages of deals, leads and partners. Deals and partners have phases of their own, leads have none. */
const stageBodies = {
	deal: stageSchemas(z.enum(DEAL_PHASES).nullable()),
	lead: stageSchemas(z.null()),
	partner: stageSchemas(z.enum(PARTNER_PHASES).nullable()),
};

const stage = {
	item: Stage,
	filters: { partner_type: PartnerType.optional() },
};

export const stageOperations = {
	...configuration({
		...stage,
		...stageBodies.deal,
		noun: "DealStage",
		plural: "DealStages",
		group: "Deals",
		path: "/v1/deal-stages",
	}),
	...configuration({
		...stage,
		...stageBodies.lead,
		noun: "LeadStage",
		plural: "LeadStages",
		group: "Leads",
		path: "/v1/lead-stages",
	}),
	...configuration({
		...stage,
		...stageBodies.partner,
		noun: "PartnerStage",
		plural: "PartnerStages",
		group: "Partners",
		path: "/v1/partner-stages",
	}),
};
