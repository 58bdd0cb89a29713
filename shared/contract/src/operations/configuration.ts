import { z } from "zod";
import {
	Attribution,
	AttributionCreate,
	AttributionUpdate,
	Category,
	CategoryCreate,
	CategoryUpdate,
	Currency,
	Stage,
	stageBodies,
	stageFilters,
	Tag,
	TagCreate,
	TagUpdate,
	Tier,
	TierCreate,
	TierUpdate,
	tagFilters,
	User,
} from "../resources/label.ts";
import { sortQuery } from "../resources/sort.ts";
import { configuration, crud } from "../table/crud.ts";
import { pageOf, pageQuery, querySearch } from "../table/list-query.ts";
import { defineRead } from "../table/operation.ts";
import { RecordParams } from "../table/params.ts";

const stage = { item: Stage, filters: stageFilters };

/** The stages of deals, leads and partners. */
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

/** Tiers, categories and other labels that records refer to. */
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
	...crud({
		noun: "Attribution",
		plural: "Attributions",
		removal: "delete",
		path: "/v1/attributions",
		item: Attribution,
		create: AttributionCreate,
		update: AttributionUpdate,
		filters: {
			search: querySearch().optional(),
			sort: sortQuery("label", "-label"),
		},
	}),
};

const currencies = { group: "Currencies", path: "/v1/currencies" } as const;
const users = { group: "Users", path: "/v1/users" } as const;
const search = querySearch().optional();

/** Lists that the API only reads. */
export const readOnlyOperations = {
	listCurrencies: defineRead({
		...currencies,
		summary: "List currencies",
		query: z.object({
			...pageQuery,
			search,
			sort: sortQuery("label", "-label"),
		}),
		response: pageOf(Currency),
	}),
	getCurrency: defineRead({
		...currencies,
		path: "/v1/currencies/{uuid}",
		summary: "Get a currency",
		params: RecordParams,
		response: Currency,
	}),
	listUsers: defineRead({
		...users,
		summary: "List users",
		query: z.object({ ...pageQuery, search, sort: sortQuery() }),
		response: pageOf(User),
	}),
	getUser: defineRead({
		...users,
		path: "/v1/users/{uuid}",
		summary: "Get a user",
		params: RecordParams,
		response: User,
	}),
};
