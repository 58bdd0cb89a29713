import * as z from "zod";
import { crud, nestedCrud } from "../../table/crud.ts";
import {
	categoryLinks,
	folderLinks,
	links,
	tagLinks,
} from "../../table/links.ts";
import { querySet } from "../../table/list-query.ts";
import { LabelRef } from "../../table/references.ts";
import { Uuid } from "../../table/uuid.ts";
import {
	Block,
	BlockCreate,
	BlockUpdate,
	contentFilters,
	shownContent,
	summary,
	writtenContent,
} from "./content.ts";

/* Learning resources with their blocks, tags, categories and folders. */

/** The people that a resource is for (docs/contract.md#other-resources). */
export const ResourceType = z.enum([
	"internal",
	"partner",
	"campaigns",
	"public",
]);
export type ResourceType = z.infer<typeof ResourceType>;

/** A learning resource (docs/contract.md#other-resources). */
export const Resource = z.object({
	...shownContent,
	summary: z.string().nullable(),
	type: ResourceType,
	asset_uuid: z.string().nullable(),
	tags: z.array(LabelRef),
	categories: z.array(LabelRef),
	folders: z.array(LabelRef),
});
export type Resource = z.infer<typeof Resource>;

const writable = {
	...writtenContent,
	type: ResourceType,
	summary: summary(),
	asset_uuid: Uuid.nullable(),
};

export const ResourceCreate = z
	.object(writable)
	.partial()
	.extend({ label: writable.label, type: ResourceType });
export type ResourceCreate = z.infer<typeof ResourceCreate>;

export const ResourceUpdate = z.object(writable).partial();
export type ResourceUpdate = z.infer<typeof ResourceUpdate>;

const resourceFilters = {
	...contentFilters,
	type: ResourceType.optional(),
	tag_uuids: querySet(Uuid).optional(),
	category_uuids: querySet(Uuid).optional(),
	folder_uuids: querySet(Uuid).optional(),
};

const onResources = {
	parent: "/v1/resources/{uuid}",
	group: "Resources",
} as const;

/** The resources that partners and their people can read. */
export const resourceOperations = {
	...crud({
		noun: "Resource",
		plural: "Resources",
		removal: "archive",
		path: "/v1/resources",
		item: Resource,
		create: ResourceCreate,
		update: ResourceUpdate,
		filters: resourceFilters,
	}),
	...nestedCrud({
		...onResources,
		noun: "ResourceBlock",
		plural: "ResourceBlocks",
		segment: "blocks",
		item: Block,
		create: BlockCreate,
		update: BlockUpdate,
	}),
	...links({
		...onResources,
		...tagLinks,
		noun: "ResourceTag",
		plural: "ResourceTags",
	}),
	...links({
		...onResources,
		...categoryLinks,
		noun: "ResourceCategory",
		plural: "ResourceCategories",
	}),
	...links({
		...onResources,
		...folderLinks,
		noun: "ResourceFolder",
		plural: "ResourceFolders",
	}),
};
