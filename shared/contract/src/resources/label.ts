import * as z from "zod";
import { configuration } from "../table/crud.ts";
import { series } from "../table/numbers.ts";
import { requiredLine, text, timestamp } from "../table/text.ts";

/* The labels that records refer to: tiers, categories and tags. Stages are in stage.ts, attributions in attribution.ts. */

/** The members that every label has. */
export const labelled = {
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

export const Tier = z.object({
	...labelled,
	...shownColours,
	series: z.int(),
});
export type Tier = z.infer<typeof Tier>;
const TierCreate = z
	.object({ ...colours, series: series() })
	.partial()
	.extend(mandatory);
const TierUpdate = TierCreate.partial();

export const Category = z.object({ ...labelled, ...shownColours });
export type Category = z.infer<typeof Category>;
const CategoryCreate = z.object(colours).partial().extend(mandatory);
const CategoryUpdate = CategoryCreate.partial();

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
const TagCreate = CategoryCreate.extend({
	type: TagType.default("partner"),
});
const TagUpdate = CategoryUpdate;
const tagFilters = { type: TagType.optional() };

export const labelOperations = {
	...configuration({
		noun: "Tier",
		plural: "Tiers",
		path: "/v1/tiers",
		item: Tier,
		create: TierCreate,
		update: TierUpdate,
		filters: {},
	}),
	...configuration({
		noun: "Category",
		plural: "Categories",
		path: "/v1/categories",
		item: Category,
		create: CategoryCreate,
		update: CategoryUpdate,
		filters: {},
	}),
	...configuration({
		noun: "Tag",
		plural: "Tags",
		path: "/v1/tags",
		item: Tag,
		create: TagCreate,
		update: TagUpdate,
		filters: tagFilters,
	}),
};
