import type { Attribution, Category, Tag, Tier } from "@partnerwire/contract";
import { asc, desc, eq, max } from "drizzle-orm";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenContains, whenEqual } from "../resource/conditions.ts";
import { createSettings } from "../resource/create-settings.ts";
import { toTimes } from "../values/times.ts";

interface Body {
	label?: string | undefined;
	background_color?: string | null | undefined;
	text_color?: string | null | undefined;
}

const toLabelled = (row: RowOf<"attribution">): Attribution => ({
	uuid: row.uuid,
	label: row.label,
	...toTimes(row),
});

const toColoured = ({
	backgroundColor,
	textColor,
	...row
}: RowOf<"category">): Category => ({
	...toLabelled(row),
	background_color: backgroundColor,
	text_color: textColor,
});

const toColumns = (body: Body) => ({
	label: body.label,
	backgroundColor: body.background_color,
	textColor: body.text_color,
});

const tiers = createSettings({
	table: "tier",
	entity: "tier",
	noun: "tier",
	uniqueWithin: [],
	toShown: (row): Tier => ({ ...toColoured(row), series: row.series }),
	toColumns: (body: Body & { series?: number | undefined }) => ({
		...toColumns(body),
		series: body.series,
	}),
	complete: async ({ series }, { db, caller }) => {
		if (series !== undefined) return { series };
		const { tier } = db.tables;
		const [last] = await db.query
			.select({ series: max(tier.series) })
			.from(tier)
			.where(eq(tier.companyUuid, caller.companyUuid));
		return { series: (last?.series ?? 0) + 1 };
	},
	uses: ({ partner, contentLink }, id) => [
		{ table: partner, where: eq(partner.tierId, id) },
		{ table: contentLink, where: eq(contentLink.tierId, id) },
	],
});

const categories = createSettings({
	table: "category",
	entity: "category",
	noun: "category",
	uniqueWithin: [],
	toShown: toColoured,
	toColumns,
	uses: ({ partner, contentLink }, id) => [
		{ table: partner, where: eq(partner.categoryId, id) },
		{ table: contentLink, where: eq(contentLink.categoryId, id) },
	],
});

const tags = createSettings({
	table: "tag",
	entity: "tag",
	noun: "tag",
	uniqueWithin: ["type"],
	toShown: (row): Tag => ({ ...toColoured(row), type: row.type }),
	toColumns: (body: Body & { type?: Tag["type"] }) => ({
		...toColumns(body),
		type: body.type,
	}),
	uses: ({ recordLink, contentLink }, id) => [
		{ table: recordLink, where: eq(recordLink.tagId, id) },
		{ table: contentLink, where: eq(contentLink.tagId, id) },
	],
});

const attributions = createSettings({
	table: "attribution",
	entity: "attribution",
	noun: "attribution",
	uniqueWithin: [],
	toShown: toLabelled,
	toColumns: ({ label }: { label?: string }) => ({ label }),
	uses: ({ leadAttribution }, id) => [
		{
			table: leadAttribution,
			where: eq(leadAttribution.attributionId, id),
			of: leadAttribution.leadUuid,
		},
	],
});

/** The operations on tiers, categories, tags and attributions. */
export const settingHandlers = {
	listTiers: (_, context) =>
		tiers.listAll(context, undefined, [asc(context.db.tables.tier.series)]),
	getTier: tiers.handlers.get,
	createTier: tiers.handlers.create,
	updateTier: tiers.handlers.update,
	deleteTier: tiers.handlers.remove,

	listCategories: (_, context) =>
		categories.listAll(context, undefined, [
			desc(context.db.tables.category.createdAt),
		]),
	getCategory: categories.handlers.get,
	createCategory: categories.handlers.create,
	updateCategory: categories.handlers.update,
	deleteCategory: categories.handlers.remove,

	listTags: ({ query }, context) => {
		const { tag } = context.db.tables;
		const where = whenEqual(tag.type, query.type);
		return tags.listAll(context, where, [desc(tag.createdAt)]);
	},
	getTag: tags.handlers.get,
	createTag: tags.handlers.create,
	updateTag: tags.handlers.update,
	deleteTag: tags.handlers.remove,

	listAttributions: ({ query }, context) => {
		const { label } = context.db.tables.attribution;
		return attributions.list(query, context, {
			conditions: [whenContains(context.db, [label], query.search)],
			sortable: { label },
		});
	},
	getAttribution: attributions.handlers.get,
	createAttribution: attributions.handlers.create,
	updateAttribution: attributions.handlers.update,
	deleteAttribution: attributions.handlers.remove,
} satisfies Partial<Handlers>;
