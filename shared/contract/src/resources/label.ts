import { z } from "zod";
import { PartnerType } from "../table/references.ts";
import { requiredLine, text, timestamp } from "../table/text.ts";
import { series } from "./series.ts";

const labelled = {
	uuid: z.string(),
	label: z.string(),
	created_at: timestamp(),
	updated_at: timestamp(),
};
const mandatory = { label: requiredLine() };
const shownColours = {
	background_color: z.string().nullable(),
	text_color: z.string().nullable(),
};
const colours = {
	background_color: text(64).nullable(),
	text_color: text(64).nullable(),
};

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
	const required = { ...mandatory, partner_type: PartnerType };
	return {
		create: z.object(optional).partial().extend(required),
		update: z.object({ ...optional, ...required }).partial(),
	};
};

/** The bodies of the stages of deals, leads and partners. Deals and partners have phases of their own, leads have none. */
export const stageBodies = {
	deal: stageSchemas(z.enum(DEAL_PHASES).nullable()),
	lead: stageSchemas(z.null()),
	partner: stageSchemas(z.enum(PARTNER_PHASES).nullable()),
};

export const stageFilters = { partner_type: PartnerType.optional() };

export const Tier = z.object({
	...labelled,
	...shownColours,
	series: z.int(),
});
export type Tier = z.infer<typeof Tier>;
export const TierCreate = z
	.object({ ...colours, series: series() })
	.partial()
	.extend(mandatory);
export const TierUpdate = TierCreate.partial();

export const Category = z.object({ ...labelled, ...shownColours });
export type Category = z.infer<typeof Category>;
export const CategoryCreate = z.object(colours).partial().extend(mandatory);
export const CategoryUpdate = CategoryCreate.partial();

export const TagType = z.enum([
	"partner",
	"lead",
	"deal",
	"resource",
	"card",
	"contact",
]);
export type TagType = z.infer<typeof TagType>;
export const Tag = z.object({ ...labelled, ...shownColours, type: TagType });
export type Tag = z.infer<typeof Tag>;
/** A tag keeps its type, because records of that type are linked to it. */
export const TagCreate = CategoryCreate.extend({
	type: TagType.default("partner"),
});
export const TagUpdate = CategoryUpdate;
export const tagFilters = { type: TagType.optional() };

export const Attribution = z.object(labelled);
export type Attribution = z.infer<typeof Attribution>;
export const AttributionCreate = z.object(mandatory);
export const AttributionUpdate = AttributionCreate.partial();

export const Currency = z.object({
	...labelled,
	code: z.string(),
	is_default: z.boolean(),
});
export type Currency = z.infer<typeof Currency>;

export const User = z.object({
	uuid: z.string(),
	email: z.string(),
	first_name: z.string(),
	last_name: z.string(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type User = z.infer<typeof User>;
